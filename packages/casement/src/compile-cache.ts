import { lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const STICKY = 0o1000;
const WRITABLE_BY_OTHERS = 0o022;

/** Where this user's programs keep what can be made again. */
export const readCacheDir = (env: NodeJS.ProcessEnv = process.env): string => {
  if (process.platform === 'win32') return join(env.LOCALAPPDATA ?? homedir(), 'casement', 'cache');
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'casement');
};

/** Whether nobody but this user, and root, can put something into a folder or in place of it. */
const isOwn = (folder: string, uid: number): boolean => {
  if (lstatSync(folder).uid !== uid) return false;
  for (let path = folder; ; path = dirname(path)) {
    const { uid: owner, mode } = lstatSync(path);
    // In a sticky folder, as /tmp is, nobody can replace what is another's.
    const isClosed = (mode & WRITABLE_BY_OTHERS) === 0 || (path !== folder && (mode & STICKY) !== 0);
    if (!isClosed || (owner !== uid && owner !== 0)) return false;
    if (dirname(path) === path) return true;
  }
};

/**
 * Makes the folder in which the compiled code of a release may be kept, and returns its path; undefined where there can be
 * none. What lies there is run, so a folder into which another user could write is not used.
 */
export const openCacheDir = (version: string, env: NodeJS.ProcessEnv = process.env): string | undefined => {
  try {
    const wanted = join(readCacheDir(env), 'compiled', version);
    const isNew = mkdirSync(wanted, { recursive: true, mode: 0o700 }) !== undefined;
    const folder = realpathSync(wanted);
    // Windows has no such modes; the folder of a user's local data is closed to others there.
    const uid = process.getuid?.();
    if (uid !== undefined && !isOwn(folder, uid)) return undefined;
    if (isNew) removeOthers(dirname(folder), version);
    return folder;
  } catch {
    // A home that cannot be written costs only time.
    return undefined;
  }
};

/** Removes what other releases have kept, and nothing else: it would stay for ever. */
const removeOthers = (parent: string, version: string): void => {
  for (const name of readdirSync(parent))
    if (name !== version && /^\d+\.\d+\.\d+/.test(name))
      rmSync(join(parent, name), { recursive: true, force: true });
};

/** Lets Node keep the compiled form of what is imported from now on. Node 22.8 and newer can; on others nothing happens. */
export const useCompileCache = (version: string): void => {
  // The types are those of the oldest Node that is supported. An import would load more of the module than this.
  const enable: unknown = Reflect.get(process.getBuiltinModule('node:module'), 'enableCompileCache');
  if (typeof enable !== 'function') return;
  const folder = openCacheDir(version);
  if (folder !== undefined) enable(folder);
};
