import { CasementError } from '@casement/protocol/start';
import type { ServerConfig, StdioServerConfig } from '../facts/server-config.js';
import type { ServerStart } from '../facts/server-start.js';
import { findStartFailure, findScriptFailure } from '../transport/command-failure.js';
import { watchAttempt, type Attempt } from './attempt.js';
import { findProgram } from './find-program.js';
import { toSlowNote } from './slow-start.js';
import { createStartLog, type StartLog } from './start-log.js';

/** Watches the way to one server, and looks into it when it fails or when it is asked to. */
export interface ServerDoctor {
  /** A new try begins, of the server as it is reached now; what is known of the last one is forgotten. */
  begin(reached: ServerConfig): Attempt;
  /** Finds out what the attempt itself could not tell; returns at once, and changes follow. */
  explain(): void;
  /** Goes through every step that can be tried without running anything; never calls a tool. */
  diagnose(readLists: () => Promise<void>): Promise<void>;
  /** Notes how reading a list went: it is the last step. */
  watchList<T>(kind: string, read: () => Promise<T[]>): Promise<T[]>;
  read(): ServerStart;
  /** Ends a diagnosis that is under way. */
  close(): void;
}

/** Creates the doctor of one server; `onChange` is called when a step changed after the connection's own summary. */
export const createServerDoctor = (config: ServerConfig, onChange: () => void): ServerDoctor => {
  const log = createStartLog(config, onChange);
  let reached = config;
  let attempt: Attempt | undefined;
  let stop = new AbortController();
  let diagnosis: Promise<void> | undefined;
  let lists = new Map<string, number>();
  let challenge: string | undefined;

  const close = (): void => {
    attempt?.end();
    stop.abort();
  };

  const noteLists = (): void => {
    const verdict = [...lists]
      .map(([kind, count]) => `${count} ${count === 1 ? kind.slice(0, -1) : kind}`)
      .join(', ');
    if (log.read().steps.at(-1)?.verdict !== `${verdict}.`)
      log.end('lists', 'ok', { verdict: `${verdict}.` });
  };

  const runOnce = (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const { signal } = stop;
    diagnosis ??= (async () => {
      log.setDiagnosing(true);
      try {
        await work(signal);
      } finally {
        diagnosis = undefined;
        if (!signal.aborted) log.setDiagnosing(false);
      }
    })();
    return diagnosis;
  };

  return {
    begin(now) {
      close();
      reached = now;
      stop = new AbortController();
      diagnosis = undefined;
      lists = new Map();
      challenge = undefined;
      log.reset(reached);
      const watched = watchAttempt(reached, log);
      attempt = {
        ...watched,
        onAnswer(answer) {
          if (answer.status === 401) challenge = answer.headers.get('www-authenticate') ?? '';
          watched.onAnswer(answer);
        },
        succeed(facts) {
          log.stop();
          watched.succeed(facts);
        },
        fail(failure, fault) {
          log.stop();
          watched.fail(failure, fault);
        },
      };
      return attempt;
    },
    explain() {
      const address = reached;
      if (address.kind !== 'http') return;
      const { steps } = log.read();
      const isReached =
        log.isOver('tls') && steps.every(({ name, state }) => name !== 'tls' || state !== 'failed');
      const isSignIn = steps.some(({ name, state }) => name === 'sign-in' && state === 'failed');
      if (isReached && !isSignIn) return;
      const open = {
        // What the attempt itself found out counts.
        begin: (...args: Parameters<StartLog['begin']>) => {
          if (!log.isOver(args[0])) log.begin(...args);
        },
        end: (...args: Parameters<StartLog['end']>) => {
          if (!log.isOver(args[0])) log.end(...args);
        },
      };
      void runOnce(async (signal) => {
        const doctor = await import('./diagnose-address.js');
        if (isSignIn) await doctor.readWellKnown(address, log, challenge, signal);
        else await doctor.probe(address, open, signal);
      }).catch(() => undefined);
    },
    async diagnose(readLists) {
      // What the user has not let start yet is not asked for anything either.
      if (attempt === undefined)
        throw new CasementError('server-not-ready', 'The server was not started yet.', {
          hint: 'Start it first.',
        });
      await runOnce(async (signal) => {
        if (reached.kind === 'http') {
          const doctor = await import('./diagnose-address.js');
          if (await doctor.probe(reached, log, signal))
            await doctor.readWellKnown(reached, log, challenge, signal);
        } else lookAtCommand(reached, log);
        // A list that fails is told as the step it is.
        if (!signal.aborted) await readLists().catch(() => undefined);
      });
    },
    async watchList(kind, read) {
      log.begin('lists');
      try {
        const items = await read();
        lists.set(kind, items.length);
        noteLists();
        return items;
      } catch (error) {
        if (error instanceof CasementError && error.code !== 'cancelled')
          log.end('lists', 'failed', { verdict: error.message, fix: error.hint });
        throw error;
      }
    },
    read() {
      const start = log.read();
      const note =
        reached.kind === 'stdio'
          ? toSlowNote(reached, { elapsedMs: start.elapsedMs, hasSpoken: log.isOver('first-line') })
          : undefined;
      return { ...start, ...(note !== undefined && { note }) };
    },
    close,
  };
};

/** Looks for the program, the folder and the script of a command; nothing is started. */
const lookAtCommand = (config: StdioServerConfig, log: StartLog): void => {
  const program = findProgram(config);
  if (program === undefined) {
    const { message, hint } = findStartFailure(
      config,
      Object.assign(new Error('not found'), { code: 'ENOENT' }),
    );
    log.end('found', 'failed', { verdict: message, fix: hint });
    return;
  }
  const script = findScriptFailure(config);
  if (script === undefined) log.end('found', 'ok', { verdict: `It is ${program}.` });
  else log.end('found', 'failed', { verdict: script.message, fix: script.hint });
};
