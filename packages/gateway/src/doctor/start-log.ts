import { toPrintable } from '@casement/protocol/basics';
import {
  addressSteps,
  commandSteps,
  type ServerStart,
  type StartStep,
  type StartStepName,
  type StartStepState,
} from '../facts/server-start.js';
import type { ServerConfig } from '../facts/server-config.js';

/** A word about one step: what was seen and what to do about it. */
export interface Verdict {
  verdict: string;
  fix?: string | undefined;
}

/** Keeps how far the way to one server is. */
export interface StartLog {
  /** Forgets the last way: a new one begins, to the server as it is reached now. */
  reset(reached: ServerConfig): void;
  /** A step begins; one that is over is left as it is, unless it is tried again. */
  begin(name: StartStepName, isAgain?: boolean): void;
  /** A step is over; its time is counted from its beginning, if that was seen. */
  end(name: StartStepName, state: StartStepState, word?: Verdict, ms?: number): void;
  /** Whether a step is neither waited for nor running. */
  isOver(name: StartStepName): boolean;
  /** The time that the way took stands still from now on. */
  stop(): void;
  setDiagnosing(isOn: boolean): void;
  read(): ServerStart;
}

const MAX_CHARS = 500;
/** Shorter values are words of every sentence. */
const MIN_SECRET_CHARS = 6;

/** What must not be repeated on a screen: the values of headers and variables that the user gave. */
const readSecrets = (config: ServerConfig): string[] => {
  const values = Object.values((config.kind === 'http' ? config.headers : config.env) ?? {});
  // A server that refuses a bearer token may repeat it without its scheme.
  return values
    .flatMap((value) => [value, value.slice(value.lastIndexOf(' ') + 1)])
    .filter((value) => value.length >= MIN_SECRET_CHARS)
    .sort((a, b) => b.length - a.length);
};

/** Creates the log of one server's start; `onChange` is called after each change. */
export const createStartLog = (config: ServerConfig, onChange: () => void): StartLog => {
  const names: readonly StartStepName[] = config.kind === 'http' ? addressSteps : commandSteps;
  let secrets = readSecrets(config);
  const show = (text: string): string => {
    let clean = toPrintable(text, MAX_CHARS * 2, { mode: 'replace' });
    for (const secret of secrets) clean = clean.replaceAll(secret, '[redacted]');
    return toPrintable(clean, MAX_CHARS, { mode: 'replace' });
  };
  let steps = new Map<StartStepName, StartStep>();
  let begun = new Map<StartStepName, number>();
  let started = performance.now();
  let stopped: number | undefined;
  let diagnosing = false;

  const reset = (reached: ServerConfig): void => {
    secrets = readSecrets(reached);
    steps = new Map(names.map((name) => [name, { name, state: 'waiting' }]));
    begun = new Map();
    started = performance.now();
    stopped = undefined;
    diagnosing = false;
  };
  reset(config);

  const isOver = (name: StartStepName): boolean => {
    const state = steps.get(name)?.state;
    return state !== undefined && state !== 'waiting' && state !== 'running';
  };

  return {
    reset,
    isOver,
    begin(name, isAgain = false) {
      if (!isAgain && steps.get(name)?.state !== 'waiting') return;
      begun.set(name, performance.now());
      steps.set(name, { name, state: 'running' });
      onChange();
    },
    end(name, state, word, ms) {
      if (!steps.has(name)) return;
      const since = begun.get(name);
      const took = ms ?? (since === undefined ? undefined : performance.now() - since);
      steps.set(name, {
        name,
        state,
        ...(took !== undefined && state !== 'skipped' && { ms: Math.round(took * 10) / 10 }),
        ...(word !== undefined && { verdict: show(word.verdict) }),
        ...(word?.fix !== undefined && { fix: show(word.fix) }),
      });
      onChange();
    },
    stop() {
      stopped ??= performance.now();
    },
    setDiagnosing(isOn) {
      diagnosing = isOn;
      onChange();
    },
    read: () => ({
      steps: [...steps.values()],
      elapsedMs: Math.round((stopped ?? performance.now()) - started),
      ...(diagnosing && { diagnosing }),
    }),
  };
};
