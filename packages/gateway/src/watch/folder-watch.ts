import { watch, type FSWatcher } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import type { ServerFinding } from '../facts/server-findings.js';
import { isNoiseFile, isNoiseFolder, isNoisePackage, type WatchRoot } from './watched-files.js';

/*
 * Why not `fs.watch` with `recursive`: on Linux, Node 20 walks the tree at once and watches each file by itself, so that
 * a large folder stops the gateway and takes all watches of the user. One watch for each folder tells of its files too.
 *
 * 1. Folders are found from the outside inwards, a few entries at a time, up to a bound that is said.
 * 2. Links are never followed, so there are no loops; a change behind a link is not seen.
 * 3. What an event names is looked at: a new folder is watched, one that is gone is not, one that came back is anew.
 * 4. A root that is gone is waited for.
 */

/** How much is looked through and watched. */
export interface FolderLimits {
  readonly maxFolders: number;
  readonly maxEntries: number;
}

/** Folders that are being watched. */
export interface FolderWatch {
  /** Resolves when everything that was there at the beginning is watched. */
  readonly ready: Promise<void>;
  readonly folders: number;
  close(): void;
}

const defaultLimits: FolderLimits = { maxFolders: 2_000, maxEntries: 50_000 };
const returnMs = 300;

/** Starts to watch everything below some folders but noise; tells the whole path of each file that changed, and whether it is gone. */
export const watchFolders = (
  roots: readonly WatchRoot[],
  {
    onChange,
    onProblem,
    limits: { maxFolders, maxEntries } = defaultLimits,
  }: {
    onChange(path: string, isGone: boolean): void;
    onProblem(problem: ServerFinding): void;
    limits?: FolderLimits;
  },
): FolderWatch => {
  const watchers = new Map<string, FSWatcher>();
  /** Paths that are being looked at, and whether something happened to them meanwhile. */
  const looking = new Map<string, boolean>();
  const told = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let entries = 0;
  let isClosed = false;

  const tell = (code: string, message: string, fix: string): void => {
    if (told.has(code) || isClosed) return;
    told.add(code);
    onProblem({ code, message, fix });
  };
  const tellLimit = (): void =>
    tell(
      'watch-limited',
      `The folder has more than is watched: ${watchers.size} folders and ${Math.min(entries, maxEntries)} entries were looked through.`,
      'Name what matters with --watch=PATH, or put the server into a folder of its own.',
    );

  const forget = (path: string): void => {
    for (const [folder, watcher] of watchers) {
      if (folder !== path && !folder.startsWith(path + sep)) continue;
      watcher.close();
      watchers.delete(folder);
    }
  };

  const onFault = (folder: string, error: NodeJS.ErrnoException): void => {
    // A folder that is gone, or not ours to read, has no files to save.
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(error.code ?? '')) return forget(folder);
    tell(
      'watch-failed',
      `The system watches no more folders (${error.code ?? error.message}); ${watchers.size} are watched.`,
      'On Linux raise fs.inotify.max_user_watches, or name what matters with --watch=PATH.',
    );
  };

  const add = (folder: string, only?: string): boolean => {
    if (isClosed || watchers.has(folder)) return false;
    if (watchers.size >= maxFolders) {
      tellLimit();
      return false;
    }
    try {
      const watcher = watch(folder, { persistent: false });
      watchers.set(folder, watcher);
      watcher.on('error', (error) => onFault(folder, error));
      watcher.on('change', (_kind, name) => {
        if (only === undefined || String(name) === only) void look(folder, String(name));
      });
      return true;
    } catch (error) {
      // Whatever fs.watch throws is an error of the system.
      onFault(folder, error as NodeJS.ErrnoException);
      return false;
    }
  };

  /** Watches a folder with those below it; what is found in one that is new has changed. */
  const walk = async (top: string, isNew: boolean): Promise<void> => {
    const found = [top];
    for (let next = found.shift(); next !== undefined && !isClosed; next = found.shift()) {
      if (!add(next)) continue;
      try {
        for await (const entry of await opendir(next)) {
          entries += 1;
          if (entries > maxEntries) return tellLimit();
          const path = join(next, entry.name);
          if (entry.isDirectory() && !isNoiseFolder(entry.name)) found.push(path);
          else if (isNew && entry.isFile() && !isNoiseFile(entry.name)) onChange(path, false);
        }
      } catch (error) {
        // Whatever reading a folder throws is an error of the system.
        onFault(next, error as NodeJS.ErrnoException);
      }
    }
  };

  const awaitReturn = ({ folder, only }: WatchRoot): void => {
    if (isClosed) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      void lstat(folder).then(
        () => (only === undefined ? walk(folder, true) : addOnly({ folder, only })),
        () => awaitReturn({ folder, ...(only !== undefined && { only }) }),
      );
    }, returnMs);
    timer.unref();
    timers.add(timer);
  };
  const addOnly = ({ folder, only }: WatchRoot): void => {
    if (add(folder, only) && only !== undefined) onChange(join(folder, only), false);
  };

  /** A folder's watch may have died with the folder, which may be back already. */
  const renew = async (folder: string): Promise<void> => {
    forget(folder);
    onChange(folder, true);
    const isThere = await lstat(folder).then(
      (stat) => stat.isDirectory(),
      () => false,
    );
    const root = roots.find((one) => one.folder === folder);
    if (!isThere && root) awaitReturn(root);
    else if (isThere && root?.only === undefined) await walk(folder, true);
    else if (isThere && root) addOnly(root);
  };

  const look = async (folder: string, name: string): Promise<void> => {
    const path = join(folder, name);
    if (isNoiseFile(name) || isNoisePackage(name)) return;
    if (looking.has(path)) return void looking.set(path, true);
    looking.set(path, false);
    const stat = await lstat(path).catch(() => undefined);
    const again = looking.get(path) === true;
    looking.delete(path);
    if (isClosed) return;
    if (stat === undefined && name === basename(folder)) await renew(folder);
    else if (stat === undefined) {
      forget(path);
      onChange(path, true);
    } else if (!stat.isDirectory()) onChange(path, false);
    else if (!isNoiseFolder(name)) await walk(path, true);
    if (again) await look(folder, name);
  };

  const begin = async ({ folder, only }: WatchRoot): Promise<void> => {
    if (only === undefined) await walk(folder, false);
    else add(folder, only);
    if (!watchers.has(folder)) awaitReturn({ folder, ...(only !== undefined && { only }) });
  };

  // Whole folders first: a file of one of them needs no watch of its own.
  const sorted = [...roots].sort((a, b) => Number(a.only !== undefined) - Number(b.only !== undefined));
  const ready = sorted.reduce((before, root) => before.then(() => begin(root)), Promise.resolve());
  return {
    ready,
    get folders() {
      return watchers.size;
    },
    close() {
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
};
