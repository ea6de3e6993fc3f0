import type { RecordingEntry } from '@casement/protocol';
import { describe, expect, it } from 'vitest';
import { createEntryMaker, makeManyEntries } from './entries.test-support.js';
import { createStage } from './timeline-store.test-support.js';

const nothing = (): void => undefined;

describe('the timeline store', () => {
  // Right, not fast, is what is proven here: a busy machine may take its time.
  it('filters 20,000 entries in many slices to exactly those that fit', { timeout: 60_000 }, () => {
    const entries = makeManyEntries(20_000);
    const { store, finish, step, waiting } = createStage(entries);
    store.subscribe(nothing);
    let slices = 0;
    for (; waiting() > 0; slices++) step();
    expect(slices).toBeGreaterThan(100);
    expect(store.getSnapshot()).toMatchObject({ total: 20_000, start: 1_000, query: '' });
    expect(store.getSnapshot().rows.every(({ entry }, index) => entry === entries[index])).toBe(true);

    const expectRows = (query: string, fits: (entry: RecordingEntry, index: number) => boolean): void => {
      store.setQuery(query);
      finish();
      expect(store.getSnapshot().query).toBe(query);
      // Numbers, because telling 20,000 objects apart takes minutes when they differ.
      expect(
        store
          .getSnapshot()
          .rows.map(({ entry }) => entry.seq)
          .join(),
      ).toBe(
        entries
          .filter(fits)
          .map(({ seq }) => seq)
          .join(),
      );
    };
    expectRows('is:problem', ({ kind }) => kind === 'finding');
    expectRows('leg:server', ({ leg }) => leg === 'server');
    expectRows('kind:request tool-3', (_, index) => index % 4 === 0 && (index / 4) % 7 === 3);
    expectRows('"answer 4321"', (_, index) => index === 4321 * 4 + 1);
    expectRows('', () => true);
    const replies = store.getSnapshot().rows.filter(({ request }) => request !== undefined);
    expect(replies).toHaveLength(5_000);
    expect(replies.every(({ request, entry }) => request?.entry.seq === entry.seq - 1)).toBe(true);
  });

  it('shows the old rows until those of the new query are all there', () => {
    const { store, finish, step } = createStage(makeManyEntries(400));
    let told = 0;
    store.subscribe(() => told++);
    finish();
    const before = store.getSnapshot();
    store.setQuery('kind:finding');
    step();
    expect(store.getSnapshot()).toBe(before);
    store.setQuery('kind:request');
    finish();
    // A pass that was overtaken is never shown.
    expect(told).toBe(2);
    expect(store.getSnapshot().rows).toHaveLength(100);
    expect(store.getSnapshot().rows.every(({ entry }) => entry.kind === 'request')).toBe(true);
  });

  it('reads a burst of changes once', () => {
    const entries = makeManyEntries(800);
    const { store, finish, change, reads } = createStage(entries.slice(0, 400));
    let told = 0;
    store.subscribe(() => told++);
    finish();
    for (let count = 401; count <= 800; count++) change(entries.slice(0, count));
    expect(reads()).toBe(1);
    finish();
    expect(reads()).toBe(2);
    expect(told).toBe(2);
    expect(store.getSnapshot().rows).toHaveLength(800);
  });

  it('ends a pass before it reads what came meanwhile', () => {
    const entries = makeManyEntries(800);
    const { store, finish, step, change } = createStage(entries.slice(0, 400));
    const totals: number[] = [];
    store.subscribe(() => totals.push(store.getSnapshot().rows.length));
    change(entries);
    step();
    finish();
    expect(totals).toEqual([400, 800]);
  });

  it('keeps rows as they are, also when old entries make room, and counts time from the first', () => {
    const entries = makeManyEntries(40);
    const { store, finish, change } = createStage(entries);
    store.subscribe(nothing);
    finish();
    const [, , third] = store.getSnapshot().rows;
    change(entries.slice(2));
    finish();
    expect(store.getSnapshot().rows[0]).toBe(third);
    expect(store.getSnapshot().start).toBe(1_000);
    expect(store.find(third?.key ?? '')).toBe(third);
    expect(store.find('page-0-rs')).toBeUndefined();
  });

  it('listens to the recording only while somebody listens, and catches up afterwards', () => {
    const make = createEntryMaker();
    const first = make({});
    const { store, finish, change, listeners } = createStage([first]);
    const leave = store.subscribe(nothing);
    finish();
    leave();
    expect(listeners.size).toBe(0);
    change([first, make({})]);
    finish();
    expect(store.getSnapshot().total).toBe(1);
    store.subscribe(nothing);
    finish();
    expect(store.getSnapshot().total).toBe(2);
  });
});
