import type { ApprovalKey, ApprovalMemory, StoredApproval, StoredApprovals } from '@casement/react/chat';
import type { Readable } from './store.js';
import { createStore } from './store.js';

/** What the user settled for good about calls of the model, with a way to take each decision back. */
export interface RememberedApprovals extends Readable<readonly StoredApproval[]> {
  /** What a conversation keeps them in. */
  readonly memory: ApprovalMemory;
  takeBack(key: ApprovalKey): void;
}

/** Follows a memory, so that views see what changes in it, here or in another tab. */
export const createRememberedApprovals = (
  stored: StoredApprovals,
  onElsewhere: (listener: () => void) => void,
): RememberedApprovals => {
  const list = createStore(stored.list());
  const refresh = (): void => list.set(stored.list());
  onElsewhere(refresh);
  const memory: ApprovalMemory = {
    get: stored.get,
    set(key, setting) {
      stored.set(key, setting);
      refresh();
    },
  };
  return {
    get: list.get,
    subscribe: list.subscribe,
    memory,
    takeBack: ({ kind, server, scope, definition }) =>
      memory.set({ kind, server, scope, ...(definition === undefined ? {} : { definition }) }, undefined),
  };
};
