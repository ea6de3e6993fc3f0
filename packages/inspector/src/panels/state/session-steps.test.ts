import type { AppSnapshot } from '@casement/host';
import { describe, expect, it } from 'vitest';
import { toSteps } from './session-steps.js';
import { toCapabilityFacts, toContextFacts, toSizeText } from './state-facts.js';

const idle: AppSnapshot = {
  status: 'idle',
  session: 's',
  epoch: 0,
  hostContext: {},
  displayMode: 'inline',
  findings: [],
  violations: [],
  dropped: 0,
  prewarmed: false,
  scriptErrors: [],
  evidence: { mode: 'errors', items: [], left: 0 },
  times: {},
  sizes: [],
  appTools: [],
  dialects: [],
};
const appInfo = { name: 'app', version: '1' };
const marks = { done: '+', active: '~', failed: 'x', open: '-' };
const toText = (snapshot: Partial<AppSnapshot>): string =>
  toSteps({ ...idle, ...snapshot })
    .map(({ outcome }) => marks[outcome])
    .join('');

describe('the steps of a session', () => {
  it.each<[string, Partial<AppSnapshot>]>([
    ['------', {}],
    ['~-----', { status: 'loading' }],
    ['+~----', { status: 'sandbox' }],
    ['++~~--', { status: 'handshake' }],
    ['++++~-', { status: 'handshake', appInfo }],
    ['+++++~', { status: 'ready', appInfo }],
    ['++++++', { status: 'closed', appInfo }],
    ['------', { status: 'closed' }],
  ])('%s', (expected, snapshot) => {
    expect(toText(snapshot)).toBe(expected);
  });

  it.each([
    ['resource', 'x-----'],
    ['sandbox', '+x----'],
    ['html', '++x---'],
    ['handshake', '+++x--'],
    ['initialized', '++++x-'],
    ['running', '+++++x'],
    ['teardown', '+++++x'],
  ] as const)('mark %s as the one that failed', (step, expected) => {
    expect(toText({ status: 'failed', failure: { step, code: 'internal', message: '' } })).toBe(expected);
  });

  it('go on when only the server was lost', () => {
    const failure = { step: 'running', code: 'server-lost', message: '' } as const;
    expect(toText({ status: 'ready', appInfo, failure })).toBe('+++++~');
  });
});

describe('facts about a session', () => {
  it('name capabilities and say more only where there is more', () => {
    expect(toCapabilityFacts({ logging: {}, tools: { listChanged: true }, x: undefined, y: true })).toEqual([
      ['logging', 'yes'],
      ['tools', 'listChanged'],
      ['y', 'yes'],
    ]);
    const sandbox = {
      csp: { connectDomains: ['https://a.example'], frameDomains: [] },
      permissions: { camera: {} },
    };
    expect(toCapabilityFacts({ sandbox })).toEqual([
      ['sandbox', 'csp (connectDomains: https://a.example, frameDomains: none), permissions (camera)'],
    ]);
    expect(toCapabilityFacts(undefined)).toEqual([]);
  });

  it('count style variables instead of listing them', () => {
    const styles = { variables: { '--font-sans': 'a', '--font-mono': 'b' } };
    expect(toContextFacts({ theme: 'dark', styles, availableDisplayModes: ['inline', 'pip'] })).toEqual([
      ['theme', 'dark'],
      ['styles', '2 variables'],
      ['availableDisplayModes', 'inline, pip'],
    ]);
  });

  it('tell which axes of a size are followed', () => {
    expect(toSizeText({ ...idle, size: { height: 40 } })).toBe('height 40 px as asked, width of the page');
    expect(toSizeText(idle)).toBe(
      'the page’s: the app has not asked for one by ui/notifications/size-changed',
    );
    expect(toSizeText({ ...idle, displayMode: 'pip', size: { height: 40 } })).toMatch(/not followed in pip/);
  });
});
