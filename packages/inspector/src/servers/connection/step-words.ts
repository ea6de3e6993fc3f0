import type { ServerSummary } from '@casement/gateway';

/** The steps to a server, as its summary has them. */
export type ServerStart = NonNullable<ServerSummary['start']>;

type Step = ServerStart['steps'][number];

/** What each step is called on the screen. */
export const stepNames: Readonly<Record<Step['name'], string>> = {
  found: 'Program found',
  started: 'Started',
  'first-line': 'First line',
  name: 'Name looked up',
  tcp: 'Connected',
  tls: 'TLS',
  'well-known': 'Sign-in documents',
  revision: 'Protocol revision',
  'sign-in': 'Sign-in',
  initialize: 'Handshake',
  lists: 'Lists',
};

/** What a state is called for those who hear it. */
export const stateWords: Readonly<Record<Step['state'], string>> = {
  waiting: 'not begun',
  running: 'under way',
  ok: 'done',
  warning: 'done, with a warning',
  failed: 'failed',
  skipped: 'not needed or not reached',
};

/** The sign of a state. */
export const stateMarks: Readonly<Record<Step['state'], string>> = {
  waiting: '○',
  running: '●',
  ok: '✓',
  warning: '!',
  failed: '✕',
  skipped: '–',
};

/** A time in words: milliseconds below a second, else seconds. */
export const toTime = (ms: number): string => {
  if (ms < 1) return 'under 1 ms';
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
};
