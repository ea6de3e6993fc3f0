import type { AppEvidence } from '@casement/protocol';

/** A report without its time, which the queue adds. */
type Evidence = AppEvidence extends infer E ? (E extends AppEvidence ? Omit<E, 'at'> : never) : never;

/** Collects reports and sends them in batches, far below what the proxy lets a guest send. */
export interface EvidenceQueue {
  /**
   * Takes a report and gives the batch it is in; undefined when there were too many of its kind just now. Until the batch
   * is sent, and so emptied, the report can still be changed.
   */
  add(evidence: Evidence, at?: number): readonly object[] | undefined;
  /** Whether another report of this kind would be taken now; one that would not is counted. */
  hasRoom(kind: string): boolean;
  /** Sends what waits. */
  flush(): void;
}

const WINDOW_MS = 100;
/** Of one kind in one window: who logs a hundred thousand lines must not push out why a script did not load. */
const MAX_OF_A_KIND = 20;

/**
 * Creates the queue. The first report after a pause goes at once, as its page may hang a moment later; what only the end
 * of the window can complete waits for `complete`.
 */
export const createEvidenceQueue = (
  report: (name: string, params: object) => void,
  complete: (items: readonly object[]) => void,
): EvidenceQueue => {
  // Taken before guest code can replace them.
  const later = window.setTimeout.bind(window);
  const now = Date.now;
  let items: object[] = [];
  let left = 0;
  let counts: Record<string, number> = {};
  let isOpen = false;

  const flush = (): void => {
    const sent = items;
    items = [];
    if (sent.length + left > 0) report('evidence', { items: sent, left });
    sent.length = left = 0;
  };
  const endWindow = (): void => {
    isOpen = false;
    counts = {};
    complete(items);
    flush();
  };
  const open = (isLate: boolean): void => {
    if (isOpen) return;
    isOpen = true;
    later(endWindow, WINDOW_MS);
    if (!isLate) flush();
  };

  return {
    flush,
    hasRoom(kind) {
      if ((counts[kind] ?? 0) < MAX_OF_A_KIND) return true;
      left += 1;
      return false;
    },
    add(evidence, at = now()) {
      const { kind } = evidence;
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (counts[kind] > MAX_OF_A_KIND) {
        left += 1;
        return undefined;
      }
      const batch = items;
      batch[batch.length] = Object.assign(evidence, { at });
      open(kind === 'load-failed');
      return batch;
    },
  };
};
