import type { ConsentKey, ConsentMemory } from '@casement/host';
import { isRecord } from '@casement/protocol';
import type { Readable } from './store.js';
import { createStore } from './store.js';

/** What the user decided for good, kept in this browser, with a way to take each decision back. */
export interface RememberedConsents extends ConsentMemory, Readable<readonly ConsentKey[]> {
  takeBack(key: ConsentKey): void;
}

const storeKey = 'casement.consents';
const maxKeys = 200;
const kinds: readonly string[] = [
  'link',
  'message',
  'download',
  'sampling',
  'tool-call',
] satisfies ConsentKey['kind'][];

const isKey = (value: unknown): value is ConsentKey =>
  isRecord(value) &&
  typeof value.kind === 'string' &&
  kinds.includes(value.kind) &&
  typeof value.server === 'string' &&
  typeof value.scope === 'string';

const isSame = (a: ConsentKey, b: ConsentKey): boolean =>
  a.kind === b.kind && a.server === b.server && a.scope === b.scope;

/** Creates the memory over a store; a store that is closed only forgets when the page goes. */
export const createRememberedConsents = (store: Pick<Storage, 'getItem' | 'setItem'>): RememberedConsents => {
  const load = (): readonly ConsentKey[] => {
    try {
      const kept: unknown = JSON.parse(store.getItem(storeKey) ?? '[]');
      return Array.isArray(kept) ? kept.filter(isKey) : [];
    } catch {
      return [];
    }
  };
  const keys = createStore(load());
  const save = (next: readonly ConsentKey[]): void => {
    keys.set(next.slice(-maxKeys));
    try {
      store.setItem(storeKey, JSON.stringify(keys.get()));
    } catch {
      // The decision holds for this page then.
    }
  };
  const drop = (isDropped: (key: ConsentKey) => boolean): void =>
    save(keys.get().filter((key) => !isDropped(key)));

  return {
    get: keys.get,
    subscribe: keys.subscribe,
    keys: keys.get,
    has: (wanted) => keys.get().some((key) => isSame(key, wanted)),
    remember: ({ kind, server, scope }) => {
      const key = { kind, server, scope };
      save([...keys.get().filter((known) => !isSame(known, key)), key]);
    },
    forget: (server) => drop((key) => server === undefined || key.server === server),
    takeBack: (key) => drop((known) => isSame(known, key)),
  };
};
