import { expect, test } from 'vitest';
// @ts-expect-error -- benches are plain JavaScript without types
import { toGrowth as untypedGrowth, toHistoryEntry as untypedEntry } from '../bench/history.mjs';

interface Row {
  readonly part: string;
  readonly name: string;
  readonly other?: string;
  readonly casement: number;
  readonly beside?: number;
}

interface Entry {
  readonly commit: string;
  readonly ratios: Readonly<Record<string, number>>;
}

const toGrowth = untypedGrowth as (history: readonly Entry[], row: Row) => string | undefined;
const toHistoryEntry = untypedEntry as (run: {
  at: string;
  commit: string;
  note: string;
  chromium: string;
  rows: readonly Row[];
}) => Entry;

const toRow = (casement: number, beside?: number): Row => ({
  part: 'frames',
  name: 'result to painted',
  other: 'bare page',
  casement,
  ...(beside === undefined ? {} : { beside }),
});

const keep = (commit: string, ...rows: Row[]): Entry =>
  toHistoryEntry({ at: '2026-01-01T00:00:00.000Z', commit, note: 'a quiet machine', chromium: '140', rows });

test('a ratio that grew by more than a fifth is told with the commit it grew since', () => {
  const history = [keep('aaa', toRow(100, 100)), keep('bbb', toRow(100, 50))];
  expect(toGrowth(history, toRow(268, 100))).toBe('grew by 34 % since bbb');
  expect(toGrowth(history, toRow(239, 100))).toBeUndefined();
  expect(toGrowth(history, toRow(90, 100))).toBeUndefined();
});

test('a run that did not measure a row leaves the last one that did to be compared with', () => {
  const history = [keep('aaa', toRow(100, 100)), keep('bbb')];
  expect(toGrowth(history, toRow(150, 100))).toBe('grew by 50 % since aaa');
  expect(toGrowth([], toRow(150, 100))).toBeUndefined();
});

test('what has nothing beside it is not kept, and neither are times', () => {
  const entry = keep('aaa', toRow(123.4, 100), { ...toRow(77), name: 'longest task' });
  expect(entry.ratios).toEqual({ 'frames: result to painted, beside bare page': 1.234 });
  expect(Object.keys(entry)).toEqual(['at', 'commit', 'note', 'node', 'chromium', 'ratios']);
});
