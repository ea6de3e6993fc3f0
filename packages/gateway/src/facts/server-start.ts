/** The steps to a server that is a command, in their order. */
export const commandSteps = ['found', 'started', 'first-line', 'initialize', 'lists'] as const;

/** The steps to a server that has an address, in their order. */
export const addressSteps = [
  'name',
  'tcp',
  'tls',
  'well-known',
  'revision',
  'sign-in',
  'initialize',
  'lists',
] as const;

/** One step on the way to a server. */
export type StartStepName = (typeof commandSteps)[number] | (typeof addressSteps)[number];

/** `skipped`: it was not needed or not reached; the verdict says which. */
export type StartStepState = 'waiting' | 'running' | 'ok' | 'warning' | 'failed' | 'skipped';

/** How one step went. */
export interface StartStep {
  name: StartStepName;
  state: StartStepState;
  /** How long it took, in milliseconds; left out where that was not measured. */
  ms?: number;
  /** One sentence: what was seen. */
  verdict?: string;
  /** What to do about it, where something is wrong. */
  fix?: string;
}

/** How far the way to a server is, and how each step went. */
export interface ServerStart {
  steps: StartStep[];
  /** How long it is being connected, or took to connect or fail, in milliseconds. */
  elapsedMs: number;
  /** What most likely makes a slow start slow. */
  note?: string;
  /** A diagnosis is under way. */
  diagnosing?: true;
}
