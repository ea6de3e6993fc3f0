import type { RecordingEntry } from '@casement/protocol';
import { mergeRecordings } from '@casement/protocol';
import { expect, test } from 'vitest';
import { createMergedLog } from './merged-log.js';

const many = { maxEntries: 1_000_000, maxBytes: Infinity };

const createWriter = (writer: RecordingEntry['writer']) => {
  let seq = 0;
  return (t: number, raw: unknown = null): RecordingEntry => ({
    ...{ v: 1, seq: seq++, t, writer, session: 's', epoch: 1 },
    ...{ leg: 'app', dir: 'in', kind: 'notification', raw },
  });
};

test('entries of two writers stand in the order of their time, in whatever order they come', () => {
  const page = createWriter('page');
  const gateway = createWriter('gateway');
  const ofPage = [1, 5, 9, 13, 7, 20].map((t) => page(t));
  const ofGateway = [2, 6, 10, 14, 3, 21].map((t) => gateway(t));
  const log = createMergedLog(many);
  for (const entry of [...ofGateway.slice(0, 4), ...ofPage, ...ofGateway.slice(4)]) log.add(entry);
  // The clock of each was set back once, which changes nothing in its own order.
  expect(log.entries().map(({ writer, seq }) => `${writer} ${seq}`)).toEqual(
    mergeRecordings(ofPage, ofGateway).map(({ writer, seq }) => `${writer} ${seq}`),
  );
});

test('the array is the same until something is added, and never changes', () => {
  const write = createWriter('page');
  const log = createMergedLog(many);
  log.add(write(1));
  const before = log.entries();
  expect(log.entries()).toBe(before);
  log.add(write(2));
  expect(before).toHaveLength(1);
  expect(log.entries()).toHaveLength(2);
});

test('the oldest make room, and are counted', () => {
  const write = createWriter('gateway');
  const log = createMergedLog({ maxEntries: 1_000, maxBytes: Infinity });
  for (let t = 0; t < 5_000; t++) log.add(write(t));
  expect(log.entries()).toHaveLength(1_000);
  expect(log.entries()[0]?.t).toBe(4_000);
  expect(log.evicted()).toBe(4_000);
});

test('large entries make room sooner, but the newest stays', () => {
  const write = createWriter('page');
  const log = createMergedLog({ maxEntries: 1_000, maxBytes: 1_000_000 });
  for (let t = 0; t < 100; t++) log.add(write(t, { text: 'x'.repeat(100_000) }));
  expect(log.entries()).toHaveLength(9);
  log.add(write(100, { parts: Array.from({ length: 100_000 }, () => 1) }));
  expect(log.entries().map(({ t }) => t)).toEqual([100]);
  expect(log.evicted()).toBe(100);
});
