import { watch, type FSWatcher } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { CasementError } from '@casement/protocol/start';
import type { EntryProblem } from '../facts/server-entry.js';
import { MAX_TEXT_CHARS, parseEntryText, type ParsedEntry } from './parse-entries.js';

/** A storm of saves is read this often. */
const READ_PAUSE_MS = 150;

/** A config file that the user named; it is read, never written. */
export interface ConfigFile {
  readonly path: string;
  /** What it says now; the last good reading where it is broken. */
  entries(): readonly ParsedEntry[];
  problems(): readonly EntryProblem[];
  close(): void;
}

const reasons = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'reading it is not permitted'],
]);

const toReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return reasons.get(code) ?? error.message;
};

/** Editors keep their files in a folder of the project's. */
const toProjectFolder = (path: string): string => {
  const folder = dirname(resolve(path));
  return ['.vscode', '.cursor', '.claude'].includes(basename(folder)) ? dirname(folder) : folder;
};

/** The failure of a file that is broken when casement starts, with the place of its first fault. */
const toFileFailure = (path: string, { message, hint, line, column }: EntryProblem): CasementError => {
  const place = line === undefined ? '' : ` (line ${line}, column ${column ?? 1})`;
  const said = message.replace(/\.$/, '');
  // A fault of the whole says what "it" is.
  const whole = said.startsWith('It ')
    ? `The config file "${path}" ${said.slice('It '.length)}${place}`
    : `${said}, in "${path}"${place}`;
  return new CasementError('config-invalid', whole, { hint: hint ?? 'Correct the file and try again' });
};

const readText = async (path: string): Promise<string> => {
  try {
    const { size } = await stat(path);
    if (size > MAX_TEXT_CHARS) throw new Error('it is over the limit of 4 MB');
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CasementError(
      'config-unreadable',
      `The config file "${path}" could not be read: ${toReason(cause)}`,
      { hint: 'Check the path given to --config', cause },
    );
  }
};

/**
 * Opens a config file and follows it: `onChange` comes after each saving that says something else. A file that is broken at
 * the start is refused; one that breaks later keeps what it said, and has a problem.
 */
export const openConfigFile = async (path: string, onChange: () => void): Promise<ConfigFile> => {
  const folder = toProjectFolder(path);
  /** What was read last; undefined where it could not be. */
  let seen: string | undefined = await readText(path);
  const first = parseEntryText(seen, folder);
  const [fault] = first.faults;
  if (fault !== undefined) throw toFileFailure(path, fault);
  if (first.entries.length === 0) {
    throw new CasementError('config-invalid', `The config file "${path}" names no server`, {
      hint: 'Add one under "mcpServers" or "servers"',
    });
  }
  let { entries } = first;
  const withFile = (problem: EntryProblem): EntryProblem => ({ ...problem, file: path });
  let problems = first.notes.map(withFile);
  let timer: NodeJS.Timeout | undefined;
  let wasEmpty = false;
  let closed = false;

  const readAgain = async (): Promise<void> => {
    const before = JSON.stringify(problems);
    try {
      const now = await readText(path);
      // Many a saving writes the same again.
      if (closed || now === seen) return;
      // Many a program empties a file before it writes it: that is looked at once more.
      if (now === '' && !wasEmpty) {
        wasEmpty = true;
        note();
        return;
      }
      wasEmpty = false;
      seen = now;
      const parsed = parseEntryText(now, folder);
      problems = [...parsed.faults, ...parsed.notes].map(withFile);
      // What runs goes on as it was until the file can be read again.
      if (parsed.faults.length > 0) {
        if (JSON.stringify(problems) !== before) onChange();
        return;
      }
      ({ entries } = parsed);
      onChange();
    } catch (error) {
      if (closed || !(error instanceof CasementError)) return;
      seen = undefined;
      problems = [withFile({ message: `${error.message}.` })];
      if (JSON.stringify(problems) !== before) onChange();
    }
  };

  const note = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void readAgain();
    }, READ_PAUSE_MS);
  };

  // Editors replace files, so that the folder is watched; that of the link's target too, where it is a link.
  const watchers: FSWatcher[] = [];
  const target = await realpath(path).catch(() => path);
  for (const place of new Set([resolve(path), target])) {
    try {
      const watcher = watch(dirname(place), { persistent: false }, (_event, name) => {
        if (name === null || name === basename(place)) note();
      });
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      // A system without a way to watch: the file is read at the next start.
    }
  }
  // It may have been saved between reading and watching.
  note();

  return {
    path: resolve(path),
    entries: () => entries,
    problems: () => problems,
    close() {
      closed = true;
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
};
