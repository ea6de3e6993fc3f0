import { isRecord } from '@casement/protocol/start';

const storeKey = 'casement.arguments';
const maxTools = 100;
const maxLength = 20_000;

/** The last arguments of each tool, kept in this browser. */
export interface ArgumentMemory {
  recall(server: string, tool: string): string | undefined;
  keep(server: string, tool: string, text: string): void;
}

/** Creates the memory in a storage; with one that is full or closed, it only forgets. */
export const createArgumentMemory = (store: Pick<Storage, 'getItem' | 'setItem'>): ArgumentMemory => {
  const load = (): Map<string, string> => {
    try {
      const kept: unknown = JSON.parse(store.getItem(storeKey) ?? '{}');
      const entries = isRecord(kept) ? Object.entries(kept) : [];
      return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
    } catch {
      return new Map();
    }
  };
  const toKey = (server: string, tool: string): string => JSON.stringify([server, tool]);
  return {
    recall: (server, tool) => load().get(toKey(server, tool)),
    keep: (server, tool, text) => {
      // Read anew each time: another tab may have written meanwhile.
      const kept = load();
      kept.delete(toKey(server, tool));
      if (text.length <= maxLength) kept.set(toKey(server, tool), text);
      const newest = [...kept].slice(-maxTools);
      try {
        store.setItem(storeKey, JSON.stringify(Object.fromEntries(newest)));
      } catch {
        return;
      }
    },
  };
};
