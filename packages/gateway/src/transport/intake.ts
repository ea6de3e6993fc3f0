import { isRecord } from '@casement/protocol/start';
import type { CallScope } from './observed-transport.js';
import { createFloodGate, type FloodLimits } from './flood-gate.js';
import { holdPayload, readPayload } from './held-payload.js';
import { startSlice } from '../reading/turns.js';
import { isWireId, readAnsweredId, type WireId, type WireProblem } from './wire-problem.js';

/** The callbacks of an intake. */
export interface IntakeHooks {
  /** That many messages of a kind were neither recorded nor handed on. */
  onLeftOut(leftOut: { what: string; count: number }): void;
  onProblem(problem: WireProblem): void;
  /** It has gone on for so long that the server is to be disconnected. */
  onFlood(seconds: number): void;
}

/** The first stop of everything a server sends: answers always pass, the rest only at a rate that somebody can read. */
export interface Intake {
  /** Whether a JSON value is handed on now; if not, it was counted. */
  admits(value: unknown): boolean;
  /** Whether a line that is no JSON is reported; if not, it was counted. */
  admitsNoise(): boolean;
  /** Whether this message is to be made small although it is not big. */
  holds(value: unknown): boolean;
  /** What is handed on of a big message; undefined when it is refused. */
  makeSmall(value: unknown, bytes: number): Record<string, unknown> | undefined;
  end(): void;
}

/** Some answers, like that of the handshake, are read by the client itself: they must come whole and need not be long. */
const MAX_WHOLE_BYTES = 1024 * 1024;

/** Notifications of which only the latest counts, with what distinguishes two of them. */
const latestOnly: Readonly<Record<string, (params: Record<string, unknown>) => unknown>> = {
  'notifications/tools/list_changed': () => '',
  'notifications/resources/list_changed': () => '',
  'notifications/prompts/list_changed': () => '',
  'notifications/resources/updated': ({ uri }) => uri,
  'notifications/progress': ({ progressToken }) => progressToken,
};
const MAX_LATEST = 200;
/** One change of a list says as much as a hundred: fewer are kept. */
const CHANGE_SHARE = 0.05;

const otherMethods: readonly string[] = ['notifications/message', 'notifications/cancelled'];

const toKind = (value: unknown): string => {
  if (!isRecord(value)) return 'values that are no JSON-RPC';
  const { method } = value;
  if (typeof method !== 'string')
    return 'result' in value || 'error' in value
      ? 'answers to no open request'
      : 'values that are no JSON-RPC';
  if (value.id !== undefined) return 'requests of the server';
  return Object.hasOwn(latestOnly, method) || otherMethods.includes(method) ? method : 'other notifications';
};

/** Creates the intake of one connection: it limits what a server sends unasked and makes big messages small. */
export const createIntake = ({
  limits,
  isOpen,
  takesHeld,
  deliver,
  onProblem,
  onLeftOut,
  onFlood,
}: IntakeHooks & {
  limits: FloodLimits;
  /** Whether a request of ours waits for this answer. */
  isOpen(id: WireId): boolean;
  /** Whether the caller that waits for this answer takes it behind a stand-in. */
  takesHeld(id: WireId): CallScope['takesHeld'];
  /** Hands on a message that was held back. */
  deliver(value: unknown): void;
}): Intake => {
  const latest = new Map<string, { readonly kind: string; readonly value: unknown }>();

  const gate = createFloodGate({
    limits,
    onLeftOut: (what, count) => {
      onLeftOut({ what, count });
    },
    onWindow: async () => {
      const slice = startSlice();
      for (const key of [...latest.keys()]) {
        release(key);
        if (slice.isOver) await slice.rest();
      }
    },
    onFlood,
  });

  const release = (key: string): void => {
    const held = latest.get(key);
    if (held === undefined) return;
    latest.delete(key);
    gate.takeBack(held.kind);
    deliver(held.value);
  };

  const holdLatest = (kind: string, value: unknown): void => {
    const key = toLatestKey(kind, value);
    if (key === undefined || (!latest.has(key) && latest.size >= MAX_LATEST)) return;
    // Hundreds of big ones would fill the memory: they are only counted.
    if (isBig(value)) latest.delete(key);
    else latest.set(key, { kind, value });
  };

  return {
    admits(value) {
      const answered = readAnsweredId(value);
      if (answered !== undefined && isOpen(answered)) {
        // How far the call came is told before its end.
        release(toProgressKey(answered));
        return true;
      }
      const kind = toKind(value);
      if (gate.admit(kind, kind.endsWith('/list_changed') ? CHANGE_SHARE : 1)) {
        // Newer than what was held back.
        const key = toLatestKey(kind, value);
        if (key !== undefined) latest.delete(key);
        return true;
      }
      holdLatest(kind, value);
      return false;
    },
    holds(value) {
      const id = readAnsweredId(value);
      return id !== undefined && takesHeld(id) === 'always';
    },
    makeSmall(value, bytes) {
      // What is no object is refused by name a step later.
      const message = isRecord(value) ? value : { value };
      const id = readAnsweredId(message);
      if (id === undefined || !isOpen(id) || Boolean(takesHeld(id))) return holdPayload(message, bytes);
      if (bytes <= MAX_WHOLE_BYTES) return message;
      onProblem({ kind: 'oversize', bytes, limit: MAX_WHOLE_BYTES, id });
      return undefined;
    },
    admitsNoise: () => gate.admit('lines that are no JSON'),
    end() {
      latest.clear();
      gate.end();
    },
  };
};

const isBig = (value: unknown): boolean => isRecord(value) && readPayload(value.params) !== value.params;

const toProgressKey = (token: WireId): string => `notifications/progress ${token}`;

const toLatestKey = (kind: string, value: unknown): string | undefined => {
  if (!Object.hasOwn(latestOnly, kind) || !isRecord(value)) return undefined;
  const about = latestOnly[kind]?.(isRecord(value.params) ? value.params : {});
  return isWireId(about) ? `${kind} ${about}` : undefined;
};
