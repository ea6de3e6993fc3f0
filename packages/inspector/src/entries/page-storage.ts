/** Something that the page keeps in this browser. */
export interface PageItem {
  readonly key: string;
  readonly bytes: number;
  /** What lasts no longer than its tab is needed by it. */
  readonly isOfTab: boolean;
}

const prefix = 'casement.';

const listKeys = (storage: Storage): string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
    .filter((key) => key.startsWith(prefix))
    .toSorted();

const listItems = (storage: Storage, isOfTab: boolean): PageItem[] =>
  listKeys(storage).map((key) => ({
    key,
    isOfTab,
    bytes: new TextEncoder().encode(storage.getItem(key) ?? '').length,
  }));

/** What the page keeps in this browser, by key. */
export const listPageItems = (): PageItem[] => [
  ...listItems(localStorage, false),
  ...listItems(sessionStorage, true),
];

/** Deletes some of it; whoever keeps a copy in this tab reads anew, as other tabs do. */
export const forgetPageItems = (keys: readonly string[]): void => {
  for (const key of keys) localStorage.removeItem(key);
  dispatchEvent(new StorageEvent('storage'));
};
