import type { RecordingEntry } from '@casement/protocol';
import type { Pace } from './timeline-store.js';
import { createTimelineStore } from './timeline-store.js';

/** Work is done when the test says so; a clock that runs with each look at it makes every slice end early. */
export const createStage = (first: readonly RecordingEntry[], query = '') => {
  let entries = [...first];
  let now = 0;
  let reads = 0;
  const queue: (() => void)[] = [];
  const listeners = new Set<() => void>();
  const later = (run: () => void): void => {
    queue.push(run);
  };
  const pace: Pace = { now: () => (now += 3), nextFrame: later, nextSlice: later };
  const source = {
    entries: () => {
      reads++;
      return entries;
    },
    evicted: () => 0,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const store = createTimelineStore(source, query, pace);
  return {
    store,
    step: () => queue.shift()?.(),
    finish: () => {
      for (let run = queue.shift(); run; run = queue.shift()) run();
    },
    change: (next: readonly RecordingEntry[]) => {
      entries = [...next];
      for (const listener of listeners) listener();
    },
    waiting: () => queue.length,
    reads: () => reads,
    listeners,
  };
};
