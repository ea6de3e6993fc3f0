import { homedir } from 'node:os';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import type { ServerConfig } from '../facts/server-config.js';

/** A folder whose files are watched; with `only`, one entry of it alone. */
export interface WatchRoot {
  readonly folder: string;
  readonly only?: string;
}

/** What no server is made of: other people's packages, histories, caches. Built files are watched: apps are built ones. */
const noiseFolders: ReadonlySet<string> = new Set([
  'node_modules',
  '__pycache__',
  'site-packages',
  'venv',
  'coverage',
]);

/** What editors, databases and loggers write beside the files that matter. */
const noiseFiles =
  /(?:~|\.(?:swp|swx|swo|tmp|temp|log|pid|db|sqlite3?|db-wal|db-shm|db-journal|tsbuildinfo|pyc))$|^\.#|^4913$|^\.DS_Store$/i;

/** Whether a name is that of a folder that is always left out. */
export const isNoisePackage = (name: string): boolean => noiseFolders.has(name);

/** Whether a folder is left out with everything in it; hidden ones are. */
export const isNoiseFolder = (name: string): boolean => name.startsWith('.') || isNoisePackage(name);

/** Whether a change of this file means nothing. Hidden files do mean something: `.env` is one. */
export const isNoiseFile = (name: string): boolean => noiseFiles.test(name);

/** What a page is made of. A server that reads such files for each request need not be started again for them. */
export const isPageFile = (path: string): boolean =>
  /\.(?:html?|css|svg|png|jpe?g|gif|webp|avif|ico|woff2?|md|txt)$/i.test(path);

/** What stands in the folder of a project, and only there. */
const projectFiles = [
  'package.json',
  'pyproject.toml',
  'requirements.txt',
  'deno.json',
  'go.mod',
  'Cargo.toml',
];
const maxLevels = 3;

const isHome = (folder: string): boolean => folder === homedir() || folder === parse(folder).root;

/** The folder of the project that a file belongs to, if one is near; else the file's own. */
const findProject = (folder: string): string => {
  let at = folder;
  for (let level = 0; level <= maxLevels && !isHome(at); level += 1) {
    if (projectFiles.some((name) => existsSync(join(at, name)))) return at;
    at = dirname(at);
  }
  return folder;
};

/** The path without links on its way; undefined when there is nothing. */
const toRealPath = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The first word of a command line that is a file: the program's own script. A runner, such as node, is none. */
const findScript = (config: Extract<ServerConfig, { kind: 'stdio' }>, cwd: string): string | undefined => {
  const words = /[/\\]/.test(config.command) ? [...config.args, config.command] : config.args;
  const isPath = (word: string): boolean =>
    !word.startsWith('-') && /[/\\.]/.test(word) && word.length < 4096;
  const script = words.filter(isPath).find((word) => isFile(resolve(cwd, word)));
  return script === undefined ? undefined : toRealPath(resolve(cwd, script));
};

/** Where a path leads that somebody named: a folder, or one file of a folder. It may come into being later. */
const toRoot = (path: string): WatchRoot => {
  const real = toRealPath(path) ?? path;
  const isFolder = statSync(real, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? { folder: real } : { folder: dirname(real), only: basename(real) };
};

/**
 * The folders that a server's files are in: the project of the script that its command line names, else the folder it
 * runs in, and what the user named. Never a home folder or a whole disk, unless it was named.
 */
export const findWatchRoots = (config: ServerConfig, named: readonly string[]): readonly WatchRoot[] => {
  const own: WatchRoot[] = [];
  if (config.kind === 'stdio') {
    const cwd = resolve(config.cwd ?? '.');
    const script = findScript(config, cwd);
    const folder = findProject(script === undefined ? (toRealPath(cwd) ?? cwd) : dirname(script));
    // A runner of the system, such as /usr/bin/env, is not what anybody saves.
    if (!isHome(folder) && !isSystemFolder(folder)) own.push({ folder });
  }
  return [...own, ...named.map((path) => toRoot(resolve(path)))];
};

const isSystemFolder = (folder: string): boolean => /^\/(?:usr|bin|sbin|opt|nix)(?:\/|$)/.test(folder);

/** The name of a changed file for people: as seen from the folder that is watched. */
export const toFileName = (path: string, roots: readonly WatchRoot[]): string => {
  const names = roots
    .map(({ folder }) => relative(folder, path))
    .filter((name) => name !== '' && !isAbsolute(name) && name.split(sep)[0] !== '..');
  return (names.sort((a, b) => a.length - b.length)[0] ?? basename(path)).split(sep).join('/');
};
