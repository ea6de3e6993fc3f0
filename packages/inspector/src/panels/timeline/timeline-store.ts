import type { RecordingEntry } from '@casement/protocol';
import type { Readable } from '../../store.js';
import { createListeners } from '../../store.js';
import { findOverlap } from './entry-overlap.js';
import { createRowMemory } from './row-memory.js';
import { createSearchTexts, parseQuery, toMatcher } from './timeline-query.js';
import type { TimelineRow } from './timeline-row.js';

/*
 * Turns a recording into the rows of a query without ever holding the page up. A new entry costs its own row and no
 * other; a new query is put to all rows, the newest first, in slices of a few milliseconds, and the first of those that
 * fit are shown while the rest is looked through.
 */

/** Where entries come from. */
export interface RecordingSource {
  entries(): readonly RecordingEntry[];
  /** How many entries made room before those. */
  evicted(): number;
  subscribe(listener: () => void): () => void;
}

/** What the list shows; a new object each time something changed. */
export interface TimelineView {
  readonly rows: readonly TimelineRow[];
  readonly total: number;
  /** How many older entries made room. */
  readonly evicted: number;
  /** False until the recording was gone through once. */
  readonly isRead: boolean;
  /** False while rows of this query may still be missing. */
  readonly isWhole: boolean;
  /** Time of the first entry ever seen: relative times stay what they are when old entries go. */
  readonly start: number;
  /** The query these rows belong to. */
  readonly query: string;
}

/** The clock and the waiting that the store works by; a test brings its own. */
export interface Pace {
  now(): number;
  /** Runs it before the next frame is drawn, or the first one after so many milliseconds. */
  nextFrame(run: () => void, afterMs?: number): void;
  nextSlice(run: () => void): void;
}

/** The rows of one recording for one query at a time. */
export interface TimelineStore extends Readable<TimelineView> {
  setQuery(query: string): void;
  find(key: string): TimelineRow | undefined;
}

const sliceMs = 7;
/** How often a pass that takes longer shows what it has found so far. */
const partMs = 200;
// Reading a recording copies its list: while entries keep coming, it may take a ninth of the time and no more.
const restPerRead = 8;
/** Each time the list is drawn the page is laid out: while an app comes up, that would take the time from it. */
const restMs = 100;

const browserPace: Pace = {
  now: () => performance.now(),
  nextFrame: (run, afterMs = 0) => {
    if (afterMs > 0) setTimeout(() => requestAnimationFrame(run), afterMs);
    else requestAnimationFrame(run);
  },
  nextSlice: (run) => setTimeout(run, 0),
};

/** Creates the store; it listens to the recording while somebody listens to it. */
export const createTimelineStore = (
  source: RecordingSource,
  query = '',
  pace: Pace = browserPace,
): TimelineStore => {
  const recall = createRowMemory();
  const texts = createSearchTexts();
  const listeners = createListeners();
  let matcher = toMatcher(parseQuery(query), texts.read);
  let view: TimelineView = { rows: [], total: 0, evicted: 0, isRead: false, isWhole: false, start: 0, query };
  let evicted = 0;
  let entries: readonly RecordingEntry[] = [];
  /** The rows of the entries, as far as they were made, and those of them that fit what `judged` asks for. */
  let all: TimelineRow[] = [];
  let fitting: TimelineRow[] = [];
  let judged = matcher;
  let pass: Generator<void, void> | undefined;
  let sliceEnd = 0;
  let nextPart = 0;
  let isStale = false;
  let isWaiting = false;
  let restUntil = 0;
  let unfollow: (() => void) | undefined;

  const publish = (rows: readonly TimelineRow[], isWhole: boolean): void => {
    const start = view.start || (entries[0]?.t ?? 0);
    const isRead = view.isRead || isWhole;
    view = { rows, total: entries.length, evicted, isRead, isWhole, start, query };
    nextPart = pace.now() + partMs;
    listeners.tell();
  };

  /** Puts the query to every row there is, the newest first: that is where the list is read. */
  function* judgeAll(): Generator<void, void> {
    const asked = matcher;
    const found: TimelineRow[] = [];
    // Something is shown after the first slice that finds something.
    nextPart = 0;
    for (let at = all.length - 1, steps = 0; at >= 0; at--) {
      const row = all[at];
      if (row && asked(row)) found.push(row);
      if (++steps % 4 > 0 || pace.now() <= sliceEnd) continue;
      if (found.length > 0 && pace.now() >= nextPart) publish(found.toReversed(), false);
      yield;
    }
    fitting = found.reverse();
    judged = asked;
  }

  function* makeRows(): Generator<void, void> {
    while (all.length < entries.length) {
      const entry = entries[all.length];
      if (!entry) return;
      const row = recall(entry);
      all.push(row);
      if (judged(row)) fitting.push(row);
      if (all.length % 4 > 0 || pace.now() <= sliceEnd) continue;
      if (pace.now() >= nextPart) publish(fitting.slice(), false);
      yield;
    }
  }

  function* goThrough(): Generator<void, void> {
    if (judged !== matcher) yield* judgeAll();
    yield* makeRows();
    publish(fitting.slice(), true);
  }

  const work = (mine: Generator<void, void>): void => {
    if (mine !== pass) return;
    sliceEnd = pace.now() + sliceMs;
    if (!mine.next().done) return pace.nextSlice(() => work(mine));
    if (mine === pass) pass = undefined;
    if (isStale) awaitFrame();
  };

  const begin = (): void => {
    pass = goThrough();
    work(pass);
  };

  /** Forgets the rows of entries that went, and of those that have another place now. */
  const takeOver = (next: readonly RecordingEntry[]): void => {
    const { dropped, kept } = findOverlap(entries, next);
    entries = next;
    if (dropped === 0 && kept >= all.length) return;
    const old = all.slice(0, dropped);
    const gone = new Set([...old, ...all.slice(dropped + kept)]);
    if (gone.size > 0) fitting = fitting.filter((row) => !gone.has(row));
    old.forEach(texts.forget);
    all = all.slice(dropped, dropped + kept);
  };

  const read = (): void => {
    isStale = false;
    const before = pace.now();
    takeOver(source.entries());
    evicted = source.evicted();
    restUntil = pace.now() + Math.max(restMs, (pace.now() - before) * restPerRead);
    begin();
  };

  const awaitFrame = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    const look = (): void => {
      const rest = restUntil - pace.now();
      if (unfollow && rest > 0) return pace.nextFrame(look, rest);
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
      matcher = toMatcher(parseQuery(next), texts.read);
      if (unfollow) begin();
    },
    find: (key) => all.findLast((row) => row.key === key),
  };
};
