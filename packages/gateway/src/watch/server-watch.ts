import { basename } from 'node:path';
import { toPrintable } from '@casement/protocol/basics';
import type { GatewayEvent } from '../facts/gateway-event.js';
import type { ServerConfig } from '../facts/server-config.js';
import type { ServerFinding } from '../facts/server-findings.js';
import type { ServerSummary, WatchSummary } from '../facts/server-summary.js';
import type { WatchChange } from '../facts/watch-change.js';
import { tellChanged, type AppDocuments, type ChangedDocument } from './app-documents.js';
import { watchFolders, type FolderWatch } from './folder-watch.js';
import { findWatchRoots, isPageFile, toFileName, type WatchRoot } from './watched-files.js';

/*
 * What follows when somebody saves.
 *
 * 1. Files that change together are one change. It is dealt with as soon as nothing changed for a moment: too early
 *    does no harm, since the rest of a file that is still being written is a change again.
 * 2. Where only files of pages changed, the documents that pages were given are read again. If one of them changed, the
 *    server reads them from its files, and goes on. Otherwise a server with a process is started anew.
 * 3. One thing at a time: what changes meanwhile waits and is one change, however much it is.
 * 4. A server whose files change without end is started less and less often; it may write them itself.
 * 5. A server that does not start is tried again with the next change.
 */

/** How long nothing has to change, and how long a change waits at most. */
const QUIET_MS = 25;
const MAX_WAIT_MS = 150;
/** A start that takes longer is given up when something else is saved. */
const PATIENT_MS = 3_000;
/** So many changes in this time are dealt with at once; from then on there are pauses. */
const BURST = 4;
const BURST_MS = 10_000;
const PAUSES_MS = [500, 1_000, 2_000];
/** When a document at an address is looked at after a file that the user named was saved. */
const ADDRESS_WAITS_MS = [0, 150, 350, 1_000, 2_000];
/** How many files are named, and how many are remembered to be counted. */
const MAX_NAMED = 5;
const MAX_COUNTED = 1_000;

/** What a watch acts on. */
export interface WatchedServer {
  readonly config: ServerConfig;
  summary(): Pick<ServerSummary, 'status' | 'error'>;
  restart(): Promise<void>;
  /** Ends a start that is under way; it then fails. */
  giveUp(): void;
  readonly documents: AppDocuments;
  publish(event: GatewayEvent): void;
  /** The summary of the watch changed. */
  onSummary(): void;
  onFinding(finding: ServerFinding): void;
}

/** The watch over one server: off until it is switched on. */
export interface ServerWatch {
  /** Undefined while it is off. */
  summary(): WatchSummary | undefined;
  set(isOn: boolean): Promise<void>;
  /** Looks whether a document changed that pages were given. */
  look(uri?: string): Promise<readonly ChangedDocument[]>;
  close(): void;
}

/** Creates the watch over one server; `named` are paths of the user, watched besides the server's own. */
export const createServerWatch = (server: WatchedServer, named: readonly string[]): ServerWatch => {
  const { config, documents } = server;
  let folders: FolderWatch | undefined;
  let roots: readonly WatchRoot[] = [];
  let problems: ServerFinding[] = [];
  let isOn = false;
  let changes = 0;
  let isBusy = false;
  /** When the start that is under way began. */
  let startedAt: number | undefined;
  let quiet: NodeJS.Timeout | undefined;
  let firstAt: number | undefined;
  /** Changed files, and whether each is gone. */
  let changed = new Map<string, boolean>();
  let recent: number[] = [];

  const addProblem = (problem: ServerFinding): void => {
    problems = [...problems, problem];
    server.onFinding(problem);
    server.onSummary();
  };

  /** Takes what changed until now. */
  const take = (): Map<string, boolean> => {
    const all = changed;
    changed = new Map();
    firstAt = undefined;
    return all;
  };
  const describe = (all: ReadonlyMap<string, boolean>): Pick<WatchChange, 'files' | 'more'> => {
    // Editors write another file first and rename it: the one that is gone was never meant.
    const there = toThere(all);
    const meant = there.length > 0 ? there : [...all.keys()];
    const files = meant
      .slice(0, MAX_NAMED)
      .map((path) => toPrintable(toFileName(path, roots), 120, { mode: 'replace' }));
    const more = meant.length - files.length;
    return { files, ...(more > 0 && { more }) };
  };

  /** How long the next change has to wait, because there were so many. */
  const toPause = (): number => {
    const now = performance.now();
    recent = recent.filter((at) => now - at < BURST_MS);
    recent.push(now);
    const over = recent.length - BURST;
    if (over <= 0) return 0;
    if (over === PAUSES_MS.length)
      addOnce({
        code: 'watch-storm',
        message: 'The files of the server change again and again, so it is started less often.',
        fix: 'If the server writes them itself, let it write into another folder.',
      });
    return PAUSES_MS[Math.min(over, PAUSES_MS.length) - 1] ?? 0;
  };
  const addOnce = (problem: ServerFinding): void => {
    if (!problems.some(({ code }) => code === problem.code)) addProblem(problem);
  };

  /** Looks at the documents: once, or, at an address, until whoever serves it has noticed the change too. */
  const readAgain = async (): Promise<readonly ChangedDocument[]> => {
    if (config.kind === 'stdio')
      return server.summary().status === 'ready' ? documents.look().catch(() => []) : [];
    for (const ms of ADDRESS_WAITS_MS) {
      await pause(ms);
      const read = await readDocuments().catch(() => []);
      if (read.length > 0 || changed.size > 0 || !isOn) return read;
    }
    return [];
  };

  /** Deals with everything that changed until now. */
  const deal = async (): Promise<void> => {
    const all = take();
    const there = toThere(all);
    const isPage = there.length > 0 && there.every(isPageFile);
    const id = (changes += 1);
    const since = performance.now();
    const tell = (step: WatchChange['step'], more: Partial<WatchChange> = {}): void => {
      const ms = Math.round(performance.now() - since);
      server.publish({
        type: 'watch-change',
        server: config.name,
        change: { id, ...describe(all), step, ms, ...more },
      });
    };
    tell('seen');
    const read = isPage || config.kind === 'http' ? await readAgain() : [];
    // The next file may be one that the server is started anew for: then the app is shown once, after that.
    const isAlone = ![...changed.keys()].some((path) => !isPageFile(path));
    if (config.kind === 'http' || (read.length > 0 && isAlone)) {
      tellChanged(server, read, 'save');
      return tell('read', { resources: read.map(({ uri }) => toPrintable(uri, 200)) });
    }
    // What was saved meanwhile is read by the process that starts now.
    for (const [path, isGone] of take()) all.set(path, isGone);
    startedAt = performance.now();
    await server.restart();
    startedAt = undefined;
    const { status, error } = server.summary();
    tell(status === 'ready' ? 'restarted' : 'failed', error && { error });
  };

  const work = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    while (changed.size > 0 && isOn) {
      await deal();
      const ms = toPause();
      if (ms > 0) await pause(ms);
    }
    isBusy = false;
  };

  const readDocuments = async (uri?: string): Promise<readonly ChangedDocument[]> => {
    try {
      return await documents.look(uri);
    } catch (error) {
      // An address whose server was started anew does not know the connection any more.
      if (!isOn || config.kind !== 'http') throw error;
      await server.restart();
      return documents.look(uri);
    }
  };

  const onChange = (path: string, isGone: boolean): void => {
    if (changed.size < MAX_COUNTED || changed.has(path)) changed.set(path, isGone);
    if (startedAt !== undefined && performance.now() - startedAt > PATIENT_MS) server.giveUp();
    firstAt ??= performance.now();
    clearTimeout(quiet);
    const left = firstAt + MAX_WAIT_MS - performance.now();
    quiet = setTimeout(() => void work(), Math.max(0, Math.min(QUIET_MS, left)));
  };

  const stop = (): void => {
    isOn = false;
    clearTimeout(quiet);
    folders?.close();
    folders = undefined;
    changed.clear();
  };

  return {
    summary: () =>
      isOn
        ? {
            folders: roots.map((root) => toPrintable(toShownRoot(root), 200)),
            ...(problems.length > 0 && { problems }),
          }
        : undefined,
    async set(next) {
      if (next === isOn) return;
      if (!next) {
        stop();
        problems = [];
        return server.onSummary();
      }
      isOn = true;
      problems = [];
      roots = findWatchRoots(config, named);
      if (roots.length > 0) folders = watchFolders(roots, { onChange, onProblem: addProblem });
      else if (config.kind === 'stdio')
        addProblem({
          code: 'watch-nothing',
          message: 'The command names no file that could be watched.',
          fix: 'Name the folder of the server: casement --watch=PATH …',
        });
      await folders?.ready;
      server.onSummary();
    },
    async look(uri) {
      const found = await readDocuments(uri);
      tellChanged(server, found, 'look');
      return found;
    },
    close: stop,
  };
};

const toThere = (all: ReadonlyMap<string, boolean>): string[] =>
  [...all].flatMap(([path, isGone]) => (isGone ? [] : [path]));

/** Not the whole path: a page need not know where the user keeps things. */
const toShownRoot = ({ folder, only }: WatchRoot): string => only ?? `${basename(folder)}/`;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
