import { statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A build writes in steps: only what has settled is looked at. */
const QUIET_MS = 100;
/** How often a folder that is gone, or cannot be watched, is looked for again. */
const RETRY_MS = 500;
const FIRST_PRUNE = 16;

interface WatchedFile {
  /** Weak: a server may be made anew for every request, and none of them is told when it is done with. */
  readonly listeners: Set<WeakRef<() => void>>;
  /** With so many listeners those that are gone are looked for: not with each new one, which would cost ever more. */
  pruneAt: number;
  stop(): void;
}

const watched = new Map<string, WatchedFile>();

const done = new FinalizationRegistry<string>((path) => {
  const file = watched.get(path);
  if (file !== undefined && listLive(file).length === 0) file.stop();
});

const listLive = (file: WatchedFile): (() => void)[] => {
  const { listeners } = file;
  const live: (() => void)[] = [];
  for (const listener of listeners) {
    const onChange = listener.deref();
    if (onChange === undefined) listeners.delete(listener);
    else live.push(onChange);
  }
  file.pruneAt = Math.max(FIRST_PRUNE, 2 * live.length);
  return live;
};

/**
 * Calls `onChange` after a file was written, replaced, removed or put back, until nobody else holds `onChange`. One
 * watcher serves all who name the file; it does not keep the process running, and outlives a folder that a build
 * removes. Where nothing can be watched, nothing is told: readers see the new file all the same.
 */
export const watchFile = (path: string, onChange: () => void): void => {
  const file = watched.get(path) ?? startWatching(path);
  if (file.listeners.size >= file.pruneAt) listLive(file);
  file.listeners.add(new WeakRef(onChange));
  done.register(onChange, path);
};

const startWatching = (path: string): WatchedFile => {
  const folder = dirname(path);
  const name = basename(path);
  let watcher: FSWatcher | undefined;
  let identity = '';
  let quiet: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;
  let look: NodeJS.Timeout | undefined;

  const tell = (): void => {
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      followFolder();
      const live = listLive(file);
      if (live.length === 0) file.stop();
      for (const onChange of live) {
        try {
          onChange();
        } catch {
          // Readers see the new file all the same; a timer that throws would end the server.
        }
      }
    }, QUIET_MS);
    quiet.unref();
  };

  const lose = (): void => {
    watcher?.close();
    watcher = undefined;
    clearTimeout(retry);
    retry = setTimeout(() => {
      open();
      if (watcher !== undefined) tell();
    }, RETRY_MS);
    retry.unref();
  };

  /** A folder that was removed and made again is another one, which the old watcher does not see; it may have its number. */
  const readIdentity = (): string => {
    try {
      const { ino, birthtimeMs } = statSync(folder);
      return `${ino} ${birthtimeMs}`;
    } catch {
      // Gone, or not to be looked at: nothing may be thrown from a timer, which would end the server.
      return '';
    }
  };
  const followFolder = (): void => {
    if (watcher !== undefined && readIdentity() !== identity) lose();
  };

  const open = (): void => {
    try {
      identity = readIdentity();
      watcher = watch(folder, { persistent: false }, (_event, changed) => {
        if (changed === null || changed === name) tell();
        // A build of a thousand files tells a thousand watchers of each.
        look ??= setTimeout(() => {
          look = undefined;
          followFolder();
        }, QUIET_MS).unref();
      });
      watcher.on('error', lose);
    } catch {
      lose();
    }
  };

  const file: WatchedFile = {
    listeners: new Set(),
    pruneAt: FIRST_PRUNE,
    stop() {
      for (const timer of [quiet, retry, look]) clearTimeout(timer);
      watcher?.close();
      watched.delete(path);
    },
  };
  watched.set(path, file);
  open();
  return file;
};
