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

  it('shows the newest rows of a new query at once, and all of them in the end', () => {
    const { store, finish, step } = createStage(makeManyEntries(4_000));
    const whole: string[] = [];
    store.subscribe(() => {
      const { isWhole, query } = store.getSnapshot();
      if (isWhole) whole.push(query);
    });
    finish();
    store.setQuery('kind:finding');
    const first = store.getSnapshot();
    expect(first).toMatchObject({ query: 'kind:finding', isWhole: false, total: 4_000 });
    expect(first.rows.length).toBeGreaterThan(0);
    expect(first.rows.length).toBeLessThan(100);
    expect(first.rows.map(({ entry }) => entry.seq)).toEqual(
      first.rows.map((_, index) => 3_999 - (first.rows.length - 1 - index) * 4),
    );
    step();
    store.setQuery('kind:request');
    finish();
    // A pass that was overtaken never gets to its end.
    expect(whole).toEqual(['', 'kind:request']);
    expect(store.getSnapshot().rows).toHaveLength(1_000);
    expect(store.getSnapshot().rows.every(({ entry }) => entry.kind === 'request')).toBe(true);
  });

  it('goes on showing the old rows while none of a new query is found', () => {
    const make = createEntryMaker();
    const wanted = make({ kind: 'error', raw: { message: 'the very first' } });
    const { store, finish, step } = createStage([wanted, ...Array.from({ length: 400 }, () => make({}))]);
    store.subscribe(nothing);
    finish();
    const before = store.getSnapshot();
    store.setQuery('kind:error');
    step();
    expect(store.getSnapshot()).toBe(before);
    finish();
    expect(store.getSnapshot().rows.map(({ entry }) => entry)).toEqual([wanted]);
  });

  it('reads a burst of changes once', () => {
    const entries = makeManyEntries(800);
    const { store, finish, change, reads } = createStage(entries.slice(0, 400));
    let whole = 0;
    store.subscribe(() => (whole += Number(store.getSnapshot().isWhole)));
    finish();
    for (let count = 401; count <= 800; count++) change(entries.slice(0, count));
    expect(reads()).toBe(1);
    finish();
    expect(reads()).toBe(2);
    expect(whole).toBe(2);
    expect(store.getSnapshot().rows).toHaveLength(800);
  });

  it('ends a pass before it reads what came meanwhile', () => {
    const entries = makeManyEntries(800);
    const { store, finish, step, change } = createStage(entries.slice(0, 400));
    const whole: number[] = [];
    store.subscribe(() => {
      const { isWhole, rows } = store.getSnapshot();
      if (isWhole) whole.push(rows.length);
    });
    change(entries);
    step();
    finish();
    expect(whole).toEqual([400, 800]);
  });

  it('takes entries that come before the last ones, under a filter as well', () => {
    const entries = makeManyEntries(80);
    const late = [21, 70, 71];
    const { store, finish, change } = createStage(entries.filter((_, index) => !late.includes(index)));
    store.subscribe(nothing);
    store.setQuery('kind:response');
    finish();
    change(entries.slice(6));
    finish();
    const fitting = entries.slice(6).filter(({ kind }) => kind === 'response');
    expect(store.getSnapshot().rows.map(({ entry }) => entry.seq)).toEqual(fitting.map(({ seq }) => seq));
    store.setQuery('');
    finish();
    expect(store.getSnapshot().rows.map(({ entry }) => entry.seq)).toEqual(
      entries.slice(6).map(({ seq }) => seq),
    );
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
