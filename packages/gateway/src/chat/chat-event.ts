import type { ErrorCode } from '@casement/protocol';

/** One line of the answer to a chat request; `finish` or `error` is the last. */
export type ChatEvent =
  | { type: 'text'; delta: string }
  | { type: 'tool-input-start'; id: string; name: string }
  | { type: 'tool-input-delta'; id: string; delta: string }
  | { type: 'tool-call'; id: string; name: string; text: string }
  | { type: 'finish'; reason: 'stop' | 'tool-calls' | 'length' | 'other' }
  | { type: 'error'; code: ErrorCode; message: string; hint?: string };
