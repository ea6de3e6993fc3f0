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

/** Opens what Casement stores for this user; `cacheDir` is where the command keeps its own code compiled. */
export const openUserStorage = (cacheDir: string): UserStorage => {
  const configDir = readDefaultConfigDir();
  const folders = { configDir, stateDir: readDefaultStateDir(), cacheDir };
  // Only the few who ask what is stored load the code for it.
  return {
    configDir,
    list: async () => (await import('./entries/stored-items.js')).listStored(folders),
    forget: async (what) => (await import('./entries/stored-items.js')).forgetStored(folders, what),
  };
};
