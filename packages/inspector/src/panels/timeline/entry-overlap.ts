import type { RecordingEntry } from '@casement/protocol';

/** What two states of a recording have in common. */
interface EntryOverlap {
  /** How many entries at the front made room. */
  readonly dropped: number;
  /** How many of the entries after those stand at the front of the new state, in the same order. */
  readonly kept: number;
}

/**
 * Finds what is new in a recording by looking at what is new alone: entries come at the end, seldom a little before
 * it, and the oldest go.
 */
export const findOverlap = (
  before: readonly RecordingEntry[],
  after: readonly RecordingEntry[],
): EntryOverlap => {
  const [first] = after;
  const dropped = first === undefined ? -1 : before.indexOf(first);
  if (dropped < 0) return { dropped: before.length, kept: 0 };
  let kept = Math.min(before.length - dropped, after.length);
  while (kept > 0 && before[dropped + kept - 1] !== after[kept - 1]) kept--;
  return { dropped, kept };
};
