import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, extname, join, resolve } from 'node:path';
import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import { readChildEnvironment } from './child-process.js';
import { findNearest } from '@casement/protocol/resource';
import type { StdioServerConfig } from '../facts/server-config.js';

const MAX_PATH_FOLDERS = 100;

const show = (text: string): string => `"${toPrintable(text, 200, { mode: 'replace' })}"`;

const refuse = (message: string, hint: string, cause?: unknown): CasementError =>
  new CasementError('command-invalid', message, { hint, cause });

/** How a server's process ended. */
export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** "code 3", "signal SIGKILL": how a process ended, in words. */
const toExitWords = ({ code, signal }: ProcessExit): string =>
  signal === null ? `code ${code ?? 'unknown'}` : `signal ${signal}`;

/** The failure of a server whose process ended. */
export const toExitFailure = (server: string, exit: ProcessExit): CasementError =>
  new CasementError('server-exited', `The server "${server}" exited (${toExitWords(exit)}).`, {
    hint: 'Read the end of its stderr, then restart it.',
  });

/** Explains why a command could not be started, with the name that was most likely meant. */
export const findStartFailure = (config: StdioServerConfig, cause: NodeJS.ErrnoException): CasementError => {
  const { command, cwd } = config;
  if (cause.code !== 'ENOENT' && cause.code !== 'EACCES') {
    const why = toPrintable(cause.message, 200, { mode: 'replace' });
    return refuse(`${show(command)} could not be started: ${why}.`, 'Check the command.', cause);
  }
  if (cwd !== undefined && !isFolder(cwd))
    return refuse(`There is no folder ${show(cwd)} to start ${show(command)} in.`, 'Correct "cwd".', cause);
  const file = resolve(cwd ?? '.', command);
  if (isPath(command) && isFolder(file))
    return refuse(
      `${show(command)} is a folder, not a program.`,
      'Name the program that starts the server, for example node and the file in that folder.',
      cause,
    );
  if (cause.code === 'EACCES')
    return refuse(`${show(command)} may not be executed.`, toRunHint(command), cause);
  if (isPath(command)) return toMissingFile(command, file, `There is no program ${show(command)}.`, cause);
  const message = `There is no program ${show(command)} on the PATH.`;
  if (existsSync(file)) return refuse(message, toRunHint(command), cause);
  const [nearest] = findNearest(command, listPrograms(config));
  const hint = nearest === undefined ? 'Install it, or correct the name.' : toNearestHint(nearest);
  return refuse(message, hint, cause);
};

const toNearestHint = (name: string): string => `The nearest name there is ${show(name)}.`;

/** A script is run by another program, or must be executable. */
const toRunHint = (command: string): string => {
  const runner = extname(command) === '.py' ? 'python' : 'node';
  return `It is a file: start it with its program, for example ${show(`${runner} ${command}`)}, or make it executable and write its path.`;
};

const toMissingFile = (word: string, file: string, message: string, cause?: unknown): CasementError => {
  const [nearest] = findNearest(basename(word), listNames(dirname(file)));
  const place = `It is looked for as ${show(file)}.`;
  return refuse(message, nearest === undefined ? place : `${place} ${toNearestHint(nearest)}`, cause);
};

const scriptRunners = /^(?:node|tsx|ts-node|bun|deno|python3?|ruby|php|sh|bash)(?:\.exe)?$/;
const scriptName = /\.(?:[cm]?[jt]sx?|py|rb|php|sh)$/;
const runWords: readonly string[] = ['run', 'watch'];
/** What follows is a program's text, or a module: -e, -pe, -lc, -m. */
const evalFlag = /^(?:-[A-Za-z]*[ecpm]|--(?:eval|print)(?:=.*)?)$/;
const scheme = /^[a-z]{2,}:/;

/** Explains why a runner like node ended at once when its script is missing; undefined when the script is there, or unknown. */
export const findScriptFailure = ({ command, args, cwd }: StdioServerConfig): CasementError | undefined => {
  const runner = basename(command);
  const at = args.findIndex((arg) => !arg.startsWith('-') && !runWords.includes(arg));
  const script = args[at];
  if (!scriptRunners.test(runner) || script === undefined) return undefined;
  // Deno runs addresses, too.
  if (scheme.test(script) || args.slice(0, at).some((arg) => evalFlag.test(arg))) return undefined;
  const file = resolve(cwd ?? '.', script);
  if (
    isFolder(file) &&
    !['index.js', 'package.json', '__main__.py'].some((name) => existsSync(join(file, name)))
  )
    return refuse(
      `${show(script)} is a folder: ${runner} finds nothing to run in it.`,
      'Name the file in that folder that starts the server.',
    );
  // What does not look like a file may be a module's name, which Node completes by itself.
  if (!scriptName.test(script) || existsSync(file)) return undefined;
  return toMissingFile(script, file, `There is no file ${show(script)} for ${runner} to run.`);
};

const isPath = (word: string): boolean => /[/\\]/.test(word);

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Not there, or nothing that can be looked at: a name that is too long, links in a circle.
    return false;
  }
};

const listNames = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const listPrograms = (config: StdioServerConfig): string[] => {
  const { PATH = '' } = readChildEnvironment(config);
  return PATH.split(delimiter).filter(Boolean).slice(0, MAX_PATH_FOLDERS).flatMap(listNames);
};
