import type { ConsentKey, ConsentStorage, ConsentStore } from '@casement/protocol/consents';
import { createConsentStore } from '@casement/protocol/consents';

export type { ConsentKey, ConsentStorage, ConsentStore } from '@casement/protocol/consents';

/** The user's remembered answers, by kind of question, server and, for links, origin (E11). */
export interface ConsentMemory {
  has(key: ConsentKey): boolean;
  remember(key: ConsentKey): void;
  /** Takes back everything remembered for a server, or everything. */
  forget(server?: string): void;
  keys(): readonly ConsentKey[];
}

/**
 * A memory that lives as long as the page, or in `storage` (such as localStorage), for the questions of apps (`consents`)
 * and for calls of a conversation's model (`approvals`) alike. What is taken back in one tab no longer holds in any.
 */
export const createConsentMemory = (storage?: ConsentStorage): ConsentStore =>
  createConsentStore(storage, storage ? onOtherTab : undefined);

/** Calls the listener when another tab writes to the storage. Outside a browser there are no other tabs. */
const onOtherTab = (listener: () => void): (() => void) => {
  const page: Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>> = globalThis;
  page.addEventListener?.('storage', listener);
  return () => page.removeEventListener?.('storage', listener);
};
