import type { RecordingEntry } from '@casement/protocol';
import { createPairing } from './pair-rows.js';
import type { TimelineRow } from './timeline-row.js';
import { toRow } from './timeline-row.js';

type Matcher = (row: TimelineRow) => boolean;

/** The rows of entries seen so far, each with the verdict of the matcher that judged it last. */
export interface RowMemory {
  /** The row of an entry; entries are first asked for in the order their writer wrote them. */
  recall(entry: RecordingEntry): TimelineRow;
  recallIf(entry: RecordingEntry, matcher: Matcher): TimelineRow | undefined;
}

/** Creates the memory of rows. It is empty at first, and forgets what the recording forgets. */
export const createRowMemory = (): RowMemory => {
  const known = new WeakMap<
    RecordingEntry,
    { readonly row: TimelineRow; judge?: Matcher; isMatch: boolean }
  >();
  const pair = createPairing();

  const find = (entry: RecordingEntry) => {
    const kept = known.get(entry);
    if (kept) return kept;
    const made: { readonly row: TimelineRow; judge?: Matcher; isMatch: boolean } = {
      row: toRow(entry),
      isMatch: false,
    };
    pair(made.row);
    known.set(entry, made);
    return made;
  };

  return {
    recall: (entry) => find(entry).row,
    recallIf(entry, matcher) {
      const kept = find(entry);
      if (kept.judge !== matcher) {
        kept.isMatch = matcher(kept.row);
        kept.judge = matcher;
      }
      return kept.isMatch ? kept.row : undefined;
    },
  };
};
