import type { RecordingEntry } from '@casement/protocol';

/** The entries of several writers in the order of their time. */
export interface MergedLog {
  add(entry: RecordingEntry): void;
  /** The same array until something is added. */
  entries(): readonly RecordingEntry[];
  /** How many old entries made room for new ones. */
  evicted(): number;
}

/** What a log keeps: the newest entries, whoever wrote them. */
export interface LogLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** About what an entry takes besides its values. */
const entryBytes = 256;
const partBytes = 16;

/** About how many bytes a value takes in memory; the recording has bounded it in parts and depth. */
const toBytes = (value: unknown): number => {
  if (typeof value === 'string') return partBytes + value.length;
  if (typeof value !== 'object' || value === null) return partBytes;
  let bytes = partBytes;
  if (Array.isArray(value)) for (const item of value) bytes += toBytes(item);
  else for (const [name, member] of Object.entries(value)) bytes += name.length + toBytes(member);
  return bytes;
};

/** Changes places with what stands behind; that is little, because entries come nearly in order. */
const insert = <T>(list: T[], place: number, item: T): void => {
  let moving = item;
  for (let at = place; at < list.length; at++) {
    const next = list[at];
    list[at] = moving;
    // Every place below the length holds an item.
    moving = next as T;
  }
  list.push(moving);
};

/**
 * Creates a log that each entry is put into where its time says, at the cost of that entry alone. A writer's own order
 * stays, even if its clock was set back.
 */
export const createMergedLog = ({ maxEntries, maxBytes }: LogLimits): MergedLog => {
  const latest = new Map<RecordingEntry['writer'], number>();
  // Three lists of the same length, so that a snapshot is a plain copy of one.
  let kept: RecordingEntry[] = [];
  let times: number[] = [];
  let sizes: number[] = [];
  let first = 0;
  let bytes = 0;
  let evicted = 0;
  let snapshot: readonly RecordingEntry[] | undefined;

  /** Behind everything that happened at that time or before. */
  const findPlace = (at: number): number => {
    let low = first;
    let high = times.length;
    // Nearly always entries come in the order of their time.
    if (low === high || (times.at(-1) ?? -Infinity) <= at) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((times[middle] ?? -Infinity) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const evict = (): void => {
    // The newest entry stays even when it alone is over the limit: an empty log explains nothing.
    while (kept.length - first > 1 && (kept.length - first > maxEntries || bytes > maxBytes)) {
      bytes -= sizes[first] ?? 0;
      first++;
      evicted++;
    }
    if (first <= 1024 || first * 2 <= kept.length) return;
    kept = kept.slice(first);
    times = times.slice(first);
    sizes = sizes.slice(first);
    first = 0;
  };

  return {
    add: (entry) => {
      const at = Math.max(latest.get(entry.writer) ?? -Infinity, entry.t);
      latest.set(entry.writer, at);
      const size = entryBytes + toBytes(entry.raw) + toBytes(entry.normalised);
      const place = findPlace(at);
      insert(kept, place, entry);
      insert(times, place, at);
      insert(sizes, place, size);
      bytes += size;
      snapshot = undefined;
      evict();
    },
    entries: () => (snapshot ??= kept.slice(first)),
    evicted: () => evicted,
  };
};
