import type { AppSnapshot } from '@casement/host';
import { describe, expect, it } from 'vitest';
import { toDeclaredLines } from '@casement/checks/policy';
import { toCount, toObserved, toViolationGroups } from './violation-groups.js';

const appOrigin = 'http://abc.casement.localhost:6271';
const toSnapshot = (violations: AppSnapshot['violations']): AppSnapshot => ({
  status: 'ready',
  session: 's',
  epoch: 1,
  address: { proxyOrigin: 'http://sandbox.casement.localhost:6271', appOrigin },
  hostContext: {},
  displayMode: 'inline',
  findings: [],
  violations,
  dropped: 0,
  prewarmed: false,
  scriptErrors: [],
  evidence: { mode: 'none', items: [], left: 0 },
  times: {},
  sizes: [],
  appTools: [],
  dialects: [],
});
const blocked = (blockedUri: string, directive = 'connect-src') => ({ directive, blockedUri });
const report = (blockedUri: string, origin = appOrigin) => ({ ...blocked(blockedUri), appOrigin: origin });

describe('violations', () => {
  it('are grouped by directive and origin, with addresses and places', () => {
    const groups = toViolationGroups(
      toSnapshot([
        { ...blocked('https://a.example/1'), sourceFile: 'app.js', line: 3, column: 9 },
        { ...blocked('https://a.example/2'), line: 4 },
        blocked('https://a.example/1', 'img-src'),
        blocked('eval', 'script-src'),
      ]),
      [],
    );
    expect(groups.map(({ directive, blocked: what, byListener }) => [directive, what, byListener])).toEqual([
      ['connect-src', 'https://a.example', 2],
      ['img-src', 'https://a.example', 1],
      ['script-src', 'eval', 1],
    ]);
    expect(groups[0]?.addresses).toEqual(['https://a.example/1', 'https://a.example/2']);
    expect(groups[0]?.places).toEqual(['app.js:3:9', 'the app’s HTML:4']);
    expect(groups[0]?.remedy.kind).toBe('metadata');
    expect(toObserved(groups, 'resourceDomains')).toEqual([['https://a.example', 1]]);
  });

  it.each([
    ['of an app that became ready', {}, true],
    ['of an app that failed', { status: 'failed' as const }, false],
    ['of an app that is not ready yet', { status: 'handshake' as const }, false],
    ['with the error it left', { scriptErrors: [{ message: 'Uncaught EvalError: no' }] }, false],
    ['beside another error', { scriptErrors: [{ message: 'Uncaught TypeError: no' }] }, true],
  ])('of eval do no harm: %s', (_, change, isSurvived) => {
    const snapshot = {
      ...toSnapshot([blocked('eval', 'script-src'), blocked('https://a.example')]),
      ...change,
    };
    const groups = toViolationGroups(snapshot, []);
    expect(groups.map((group) => [group.blocked, group.isSurvived])).toEqual([
      ['eval', isSurvived],
      ['https://a.example', false],
    ]);
  });

  it('keep the two witnesses apart and count each load once', () => {
    const [group, ...others] = toViolationGroups(toSnapshot([blocked('https://a.example/1')]), [
      report('https://a.example/1'),
      report('https://a.example/1'),
      report('https://a.example/1', 'http://other.casement.localhost:6271'),
    ]);
    expect(others).toEqual([]);
    expect(group).toMatchObject({ byBrowser: 2, byListener: 1 });
    expect(group && toCount(group)).toBe(2);
  });

  it('show few examples however many there are', () => {
    const many = Array.from({ length: 300 }, (_, index) => blocked(`https://a.example/${index}`));
    const [group] = toViolationGroups(toSnapshot(many), []);
    expect(group?.addresses).toHaveLength(5);
    expect(group?.byListener).toBe(300);
  });
});

describe('declared lists', () => {
  it('are shown as they came, whatever they are', () => {
    expect(toDeclaredLines({ connectDomains: ['https://a.example', 7, null] }, 'connectDomains')).toEqual([
      'https://a.example',
      '7',
      'null',
    ]);
    expect(toDeclaredLines({ connectDomains: 'https://a.example' }, 'connectDomains')).toEqual([
      'https://a.example',
    ]);
    expect(toDeclaredLines(undefined, 'frameDomains')).toEqual([]);
  });
});
