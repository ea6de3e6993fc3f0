import type { RecordingEntry } from '@casement/protocol';
import { createPairing } from './pair-rows.js';
import type { TimelineRow } from './timeline-row.js';
import { toRow } from './timeline-row.js';

/** The row of an entry; entries are first asked for in the order their writer wrote them. */
export type RecallRow = (entry: RecordingEntry) => TimelineRow;

/** Creates the memory of rows. It is empty at first, and forgets what the recording forgets. */
export const createRowMemory = (): RecallRow => {
  const known = new WeakMap<RecordingEntry, TimelineRow>();
  const pair = createPairing();
  return (entry) => {
    const kept = known.get(entry);
    if (kept) return kept;
    const made = toRow(entry);
    pair(made);
    known.set(entry, made);
    return made;
  };
};
