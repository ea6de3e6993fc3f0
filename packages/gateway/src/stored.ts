import { readDefaultConfigDir } from './facts/config-dir.js';
import type { StoredItem } from './facts/server-entry.js';
import { readDefaultStateDir } from './facts/server-identity.js';

/** What is stored for this user. */
interface UserStorage {
  /** Where servers that the page adds are kept. */
  readonly configDir: string;
  list(): Promise<StoredItem[]>;
  /** Deletes what is stored of these kinds. */
  forget(what: readonly string[]): Promise<void>;
}

/** Where the key of the stored sign-ins is if it is in no file. */
const systemPlace = 'the key store of this system, as casement, sign-in-key';

/** Opens what is stored in these folders, and the key beside them in the system's key store. */
export const openStorage = (folders: {
  configDir?: string | undefined;
  stateDir: string;
  cacheDir?: string | undefined;
}): Omit<UserStorage, 'configDir'> => {
  // Only the few who ask what is stored load the code for it.
  const load = () => import('./entries/stored-items.js');
  const list = async (): Promise<StoredItem[]> => {
    const items = await (await load()).listStored(folders);
    const has = (kind: string): boolean => items.some(({ what }) => what === kind);
    // Told without asking the key store, which may want a password: a file without a key beside it has it there.
    if (!has('sign-ins') || has('sign-in key')) return items;
    return [...items, { what: 'sign-in key', where: systemPlace, bytes: 0, lasts: 'until you delete it' }];
  };
  return {
    list,
    async forget(what) {
      const before = await list();
      await (await load()).forgetStored(folders, what);
      if (what.includes('sign-in key') && before.some(({ where }) => where === systemPlace))
        await (await import('./sign-in/store-key.js')).forgetSystemKey();
    },
  };
};

/** Opens what Casement stores for this user; `cacheDir` is where the command keeps its own code compiled. */
export const openUserStorage = (cacheDir: string): UserStorage => {
  const configDir = readDefaultConfigDir();
  return { configDir, ...openStorage({ configDir, stateDir: readDefaultStateDir(), cacheDir }) };
};
