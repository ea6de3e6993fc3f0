import { describe, expect, it } from 'vitest';
import { findTrouble, toStageTime, toSummary } from './report-summary.js';
import { toReport } from './report.test-support.js';

const toFinding = (severity: 'error' | 'warning' | 'note') =>
  ({ code: 'x', stage: 'fed', severity, witness: 'host', message: 'm', fix: 'f' }) as const;

describe('the line about an app', () => {
  it('is quiet about a healthy app', () => {
    expect(toSummary(toReport())).toEqual({ text: '8 of 8 stages passed', tone: 'quiet' });
  });

  it('counts findings that are more than a remark', () => {
    const findings = [toFinding('error'), toFinding('warning'), toFinding('note')];
    expect(toSummary(toReport({}, findings))).toEqual({
      text: '8 of 8 stages passed · 2 findings',
      tone: 'doubtful',
    });
    expect(toSummary(toReport({}, [toFinding('note')]))).toEqual({
      text: '8 of 8 stages passed',
      tone: 'quiet',
    });
  });

  it('names the stage that is under way, and those nobody looked at', () => {
    const report = toReport({
      advertised: { verdict: 'unknown' },
      handshake: { verdict: 'waiting' },
      fed: { verdict: 'open' },
      painted: { verdict: 'open' },
    });
    expect(toSummary(report)).toEqual({
      text: '4 of 8 stages passed · Handshake is under way · 1 not known',
      tone: 'quiet',
    });
  });

  it('begins with the stage that failed, even behind a doubtful one', () => {
    const report = toReport({ loaded: { verdict: 'doubtful' }, painted: { verdict: 'failed' } });
    expect(findTrouble(report)?.stage).toBe('painted');
    expect(toSummary(report)).toEqual({ text: 'Painted failed · 6 of 8 stages passed', tone: 'failed' });
  });

  it('begins with the first doubtful stage while none failed', () => {
    const report = toReport({ loaded: { verdict: 'doubtful' }, fed: { verdict: 'doubtful' } });
    expect(toSummary(report)).toEqual({
      text: 'Loaded needs a look · 6 of 8 stages passed',
      tone: 'doubtful',
    });
  });
});

describe('the time of a stage', () => {
  it('is left out where nobody noted it, and never below zero', () => {
    const [stage] = toReport().stages;
    expect(stage && toStageTime(stage)).toBeUndefined();
    expect(stage && toStageTime({ ...stage, ms: 41.6 })).toBe('42 ms');
    expect(stage && toStageTime({ ...stage, ms: -3 })).toBe('0 ms');
  });
});
