import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CasementError } from '@casement/protocol/start';
import type { StoredItem } from '../facts/server-entry.js';

/** The folders in which Casement keeps something; without one there is nothing of that kind. */
interface StoredFolders {
  configDir?: string | undefined;
  stateDir?: string | undefined;
  /** Where the command keeps its own code compiled. */
  cacheDir?: string | undefined;
}

interface Kind {
  readonly folder: keyof StoredFolders;
  /** The files and folders it is made of. */
  readonly names: RegExp;
  readonly lasts: string;
}

const forGood = 'until you delete it';

// What was set aside, or left by a program that died while it wrote, belongs to its file.
const kinds = new Map<string, Kind>([
  [
    'servers',
    { folder: 'configDir', names: /^servers\.json(?:\.unreadable-\d+|\.[\w-]+\.part)?$/, lasts: forGood },
  ],
  [
    'secrets',
    {
      folder: 'configDir',
      names: /^secrets\.json(?:\.unreadable-\d+|\.[\w-]+\.part)?$/,
      lasts: `${forGood}, or remove the server`,
    },
  ],
  [
    'confirmations',
    {
      folder: 'configDir',
      names: /^confirmations\.json(?:\.unreadable-\d+|\.[\w-]+\.part)?$/,
      lasts: `${forGood}, or the entry changes`,
    },
  ],
  ['sign-ins', { folder: 'stateDir', names: /^sign-ins(?:\.[\w.-]+)?$/, lasts: `${forGood}, or sign out` }],
  ['sign-in key', { folder: 'configDir', names: /^sign-in\.key(?:\.[\w-]+)?$/, lasts: forGood }],
  ['salt', { folder: 'stateDir', names: /^salt$/, lasts: forGood }],
  ['compiled', { folder: 'cacheDir', names: /^compiled$/, lasts: 'until another release is started' }],
]);

/** The words by which parts of what is stored are named. */
const storedKinds: readonly string[] = [...kinds.keys()];

/** How large a file is, or all files of a folder together; links are not followed. */
const measure = async (path: string): Promise<number> => {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  const inside = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = inside
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

const listPaths = async ({ folder, names }: Kind, folders: StoredFolders): Promise<string[]> => {
  const place = folders[folder];
  if (place === undefined) return [];
  const found = await readdir(place).catch(() => []);
  return found.filter((name) => names.test(name)).map((name) => join(place, name));
};

/** What is stored, and where. */
export const listStored = async (folders: StoredFolders): Promise<StoredItem[]> => {
  const items = await Promise.all(
    [...kinds].map(async ([what, kind]) => {
      const paths = await listPaths(kind, folders);
      const sizes = await Promise.all(paths.map(measure));
      return paths.map((where, index) => ({ what, where, bytes: sizes[index] ?? 0, lasts: kind.lasts }));
    }),
  );
  return items.flat();
};

/** Deletes what is stored of these kinds, and nothing else that lies beside it; a link goes, not what it leads to. */
export const forgetStored = async (folders: StoredFolders, what: readonly string[]): Promise<void> => {
  for (const word of what) {
    const kind = kinds.get(word);
    if (kind === undefined) {
      throw new CasementError(
        'bad-request',
        `Nothing is stored by that name; there is ${storedKinds.join(', ')}.`,
      );
    }
    for (const path of await listPaths(kind, folders)) {
      await rm(path, { recursive: word === 'compiled', force: true }).catch((cause: unknown) => {
        throw new CasementError('config-unwritable', `"${path}" could not be deleted.`, {
          hint: 'See who may write to its folder.',
          cause,
        });
      });
    }
  }
};
