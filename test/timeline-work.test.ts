import { countOperations, LINEAR_GROWTH } from './count-operations.js';
import type { RecordingEntry } from '@casement/protocol';
import { expect, test } from 'vitest';
import { createMergedLog } from '../packages/inspector/src/connection/merged-log.js';
import { makeManyEntries } from '../packages/inspector/src/panels/timeline/entries.test-support.js';
import { createStage } from '../packages/inspector/src/panels/timeline/timeline-store.test-support.js';

const nothing = (): void => undefined;

test('a new entry of 100,000 costs the timeline its own row and no other', { timeout: 120_000 }, () => {
  const entries = makeManyEntries(100_001);
  const { store, finish, change } = createStage(entries.slice(0, 100_000), 'kind:request tool-3');
  const all = countOperations(() => {
    store.subscribe(nothing);
    finish();
  });
  const one = countOperations(() => {
    change(entries);
    finish();
  });
  expect(store.getSnapshot()).toMatchObject({ total: 100_001, isWhole: true });
  // What is left are copies of lists, an operation for each entry.
  expect(one).toBeLessThan(4 * entries.length);
  expect(one * 20).toBeLessThan(all);
});

test('no slice of a pass does more work in a longer recording', { timeout: 120_000 }, () => {
  const longest = (count: number): number => {
    const { store, finish, step, waiting } = createStage(makeManyEntries(count));
    store.subscribe(nothing);
    finish();
    let most = countOperations(() => store.setQuery('"answer 1"'));
    // The last slices publish, which copies the list of what fits; the first ones of a pass are looked at.
    for (let slices = 0; slices < 50 && waiting() > 0; slices++) most = Math.max(most, countOperations(step));
    return most;
  };
  expect(longest(20_000)).toBeLessThan(LINEAR_GROWTH * longest(2_000));
});

test('an entry costs the log the same among a hundred and a hundred thousand, also one that comes late', () => {
  const toEntry = (writer: RecordingEntry['writer'], seq: number, t: number): RecordingEntry => ({
    ...{
      v: 1,
      seq,
      t,
      writer,
      session: 's',
      epoch: 1,
      leg: 'app',
      dir: 'in',
      kind: 'notification',
      raw: null,
    },
  });
  const cost = (count: number, late: number): number => {
    const log = createMergedLog({ maxEntries: 1_000_000, maxBytes: Infinity });
    for (let seq = 0; seq < count; seq++) log.add(toEntry('gateway', seq, seq * 10));
    log.add(toEntry('page', 0, 0));
    return countOperations(() => log.add(toEntry('page', 1, count * 10 - late)));
  };
  // The place is found by halving: 17 steps instead of 7.
  for (const late of [0, 500]) expect(cost(100_000, late)).toBeLessThan(4 * cost(100, late));
});
