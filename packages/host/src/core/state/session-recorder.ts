import type { RecordingEntry } from '@casement/protocol';
import type { Decision } from '../policy/decision.js';
import type { SessionOptions } from '../session-options.js';

/** Writes one session's part of the recording; nothing written here can disturb the session. */
export interface SessionRecorder {
  /** A message of the app leg as it came or goes, before anyone judged it; and in today's words if it used others. */
  message(dir: 'in' | 'out', kind: RecordingEntry['kind'], raw: unknown, normalised?: unknown): void;
  lifecycle(type: string, details?: Record<string, unknown>): void;
  decision(method: string, decision: Decision, details?: Record<string, unknown>): void;
  note(kind: 'violation' | 'evidence' | 'dropped' | 'finding' | 'error' | 'invalid', raw: unknown): void;
}

/** A recorder for one session; `epoch` is asked for each entry. Without a recording nothing is written. */
export const createSessionRecorder = (
  recording: SessionOptions['recording'],
  session: string,
  epoch: () => number,
): SessionRecorder => {
  const append = (
    leg: RecordingEntry['leg'],
    dir: RecordingEntry['dir'],
    kind: RecordingEntry['kind'],
    raw: unknown,
    normalised?: unknown,
  ): void => {
    try {
      recording?.append({ session, epoch: epoch(), leg, dir, kind, raw, normalised });
    } catch {
      // A listener of the recording threw; the entry itself is stored and the session must go on.
    }
  };
  return {
    message: (dir, kind, raw, normalised) => append('app', dir, kind, raw, normalised),
    lifecycle: (type, details = {}) => append('none', 'none', 'lifecycle', { type, ...details }),
    decision: (method, decision, details = {}) =>
      append('none', 'none', 'decision', { method, ...decision, ...details }),
    note: (kind, raw) => append('none', 'none', kind, raw),
  };
};
