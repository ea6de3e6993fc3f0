import type { RecordingEntry } from './parse-recording.js';
import { createRedactor } from './redact.js';

/** About what an entry takes besides its values. */
const ENTRY_BYTES = 256;

/** What a writer supplies; number, time and name of the writer are added. */
export type RecordingEvent = Omit<RecordingEntry, 'v' | 'seq' | 't' | 'writer'>;

/** The one log of a page or gateway. */
export interface Recording {
  append(event: RecordingEvent): RecordingEntry;
  entries(): readonly RecordingEntry[];
  subscribe(listener: (entry: RecordingEntry) => void): () => void;
  /** How many old entries made room for new ones. */
  readonly evicted: number;
  toJsonl(): string;
}

/** What createRecording needs. */
export interface RecordingOptions {
  readonly writer: RecordingEntry['writer'];
  readonly now?: () => number;
  readonly maxEntries?: number;
  readonly maxBytes?: number;
}

/** Creates a log that redacts before it stores and forgets the oldest entries past its limits. */
export const createRecording = (options: RecordingOptions): Recording => {
  const { writer, now = Date.now, maxEntries = 20_000, maxBytes = 64 * 1024 * 1024 } = options;
  const listeners = new Set<(entry: RecordingEntry) => void>();
  let kept: { readonly entry: RecordingEntry; readonly bytes: number }[] = [];
  let first = 0;
  let bytes = 0;
  let seq = 0;
  let snapshot: readonly RecordingEntry[] | undefined;

  const evict = (): void => {
    for (let oldest = kept[first]; oldest; oldest = kept[first]) {
      const count = kept.length - first;
      // The newest entry stays even when it alone is over the limit: an empty log explains nothing.
      if (count <= 1 || (count <= maxEntries && bytes <= maxBytes)) break;
      bytes -= oldest.bytes;
      first++;
    }
    if (first > 1024 && first * 2 > kept.length) {
      kept = kept.slice(first);
      first = 0;
    }
  };

  const recording = {
    evicted: 0,
    append(event: RecordingEvent): RecordingEntry {
      const { session, epoch, leg, dir, kind } = event;
      const redactor = createRedactor();
      const raw = redactor.redact(event.raw) ?? null;
      const normalised =
        event.normalised === undefined ? {} : { normalised: redactor.redact(event.normalised) };
      const entry: RecordingEntry = Object.freeze({
        ...{ v: 1 as const, seq: seq++, t: now(), writer, session, epoch, leg, dir, kind, raw },
        ...normalised,
      });
      const size = ENTRY_BYTES + redactor.size;
      kept.push({ entry, bytes: size });
      bytes += size;
      snapshot = undefined;
      evict();
      recording.evicted = seq - (kept.length - first);
      for (const listener of [...listeners]) {
        try {
          listener(entry);
        } catch {
          // A viewer that fails must not stop the session that is being recorded.
        }
      }
      return entry;
    },
    entries: () => (snapshot ??= kept.slice(first).map(({ entry }) => entry)),
    subscribe(listener: (entry: RecordingEntry) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    toJsonl: () =>
      recording
        .entries()
        .map((entry) => `${JSON.stringify(entry)}\n`)
        .join(''),
  };
  return recording;
};
