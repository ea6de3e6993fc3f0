import type { RecordingEntry } from '@casement/protocol';
import type { Readable } from '../../store.js';
import { createListeners } from '../../store.js';
import { createRowMemory } from './row-memory.js';
import { parseQuery, toMatcher } from './timeline-query.js';
import type { TimelineRow } from './timeline-row.js';
import { toKey } from './timeline-row.js';

/*
 * Turns a recording into the rows of a query without ever holding the page up. A pass goes over all entries in slices
 * of a few milliseconds and is published as a whole. What a pass works out is kept with each row (its texts, its pair,
 * the verdict of the current query), so the pass after a new entry does work for that entry only.
 */

/** Where entries come from. */
export interface RecordingSource {
  entries(): readonly RecordingEntry[];
  subscribe(listener: () => void): () => void;
}

/** What the list shows; a new object each time something changed. */
export interface TimelineView {
  readonly rows: readonly TimelineRow[];
  readonly total: number;
  /** False until the recording was gone through once. */
  readonly isRead: boolean;
  /** Time of the first entry ever seen: relative times stay what they are when old entries go. */
  readonly start: number;
  /** The query these rows belong to. */
  readonly query: string;
}

/** The clock and the waiting that the store works by; a test brings its own. */
export interface Pace {
  now(): number;
  nextFrame(run: () => void): void;
  nextSlice(run: () => void): void;
}

/** The rows of one recording for one query at a time. */
export interface TimelineStore extends Readable<TimelineView> {
  setQuery(query: string): void;
  find(key: string): TimelineRow | undefined;
}

const sliceMs = 7;
// Reading a recording joins two logs: while entries keep coming, it may take a ninth of the time and no more.
const restPerRead = 8;

const browserPace: Pace = {
  now: () => performance.now(),
  nextFrame: (run) => requestAnimationFrame(run),
  nextSlice: (run) => setTimeout(run, 0),
};

/** Creates the store; it listens to the recording while somebody listens to it. */
export const createTimelineStore = (
  source: RecordingSource,
  query = '',
  pace: Pace = browserPace,
): TimelineStore => {
  const memory = createRowMemory();
  const listeners = createListeners();
  let matcher = toMatcher(parseQuery(query));
  let view: TimelineView = { rows: [], total: 0, isRead: false, start: 0, query };
  let entries: readonly RecordingEntry[] = [];
  let pass: { next: number; readonly rows: TimelineRow[] } | undefined;
  let isStale = false;
  let isWaiting = false;
  let restUntil = 0;
  let unfollow: (() => void) | undefined;

  const publish = (rows: readonly TimelineRow[]): void => {
    const start = view.start || (entries[0]?.t ?? 0);
    view = { rows, total: entries.length, isRead: true, start, query };
    listeners.tell();
    if (isStale) awaitFrame();
  };

  const work = (mine = pass): void => {
    if (!mine || mine !== pass) return;
    const until = pace.now() + sliceMs;
    while (mine.next < entries.length) {
      const entry = entries[mine.next++];
      const row = entry && memory.recallIf(entry, matcher);
      if (row) mine.rows.push(row);
      if (mine.next % 4 === 0 && pace.now() > until) return pace.nextSlice(() => work(mine));
    }
    pass = undefined;
    publish(mine.rows);
  };

  const begin = (): void => {
    pass = { next: 0, rows: [] };
    work();
  };

  const read = (): void => {
    isStale = false;
    const before = pace.now();
    entries = source.entries();
    restUntil = pace.now() + (pace.now() - before) * restPerRead;
    begin();
  };

  const awaitFrame = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    const look = (): void => {
      if (unfollow && pace.now() < restUntil) return pace.nextFrame(look);
      isWaiting = false;
      // A pass under way ends first: entries that keep coming must not keep it from ever being shown.
      if (unfollow && isStale && !pass) read();
    };
    pace.nextFrame(look);
  };

  return {
    getSnapshot: () => view,
    subscribe(listener) {
      const leave = listeners.subscribe(listener);
      if (!unfollow) {
        unfollow = source.subscribe(() => {
          isStale = true;
          awaitFrame();
        });
        read();
      }
      return () => {
        leave();
        if (listeners.count() > 0) return;
        unfollow?.();
        unfollow = undefined;
        pass = undefined;
      };
    },
    setQuery(next) {
      if (next === query) return;
      query = next;
      matcher = toMatcher(parseQuery(next));
      if (unfollow) begin();
    },
    find: (key) => {
      const entry = entries.find((one) => toKey(one) === key);
      return entry && memory.recall(entry);
    },
  };
};
