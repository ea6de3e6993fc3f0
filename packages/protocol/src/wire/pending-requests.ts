import { CasementError } from '../errors.js';
import type { JsonRpcFailure, JsonRpcId, JsonRpcSuccess } from './json-rpc.js';
import { validate } from '../messages/parse-values.js';
import type { Schema } from '../messages/schema.js';

/** Options of one request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

interface WaitOptions {
  readonly method: string;
  readonly result: Schema;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly send: (id: JsonRpcId) => void;
  /** Called when we stop waiting before the other end has answered. */
  readonly onAbandoned: (id: JsonRpcId, reason: string) => void;
}

/** Our own unanswered requests: each ends once, by an answer, a time limit, an abort or the end of everything. */
export interface PendingRequests {
  wait(options: WaitOptions): Promise<unknown>;
  /** False when nobody waits for this answer: late, repeated or forged (B16). */
  settle(message: JsonRpcSuccess | JsonRpcFailure): boolean;
  failAll(reason: CasementError): void;
  readonly size: number;
}

interface Waiting {
  readonly method: string;
  readonly result: Schema;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: CasementError) => void;
}

/** Longer than this a timer would fire at once. */
const MAX_DELAY = 2 ** 31 - 1;

/** Keeps track of the requests one end has sent. */
export const createPendingRequests = (): PendingRequests => {
  const waiting = new Map<JsonRpcId, Waiting>();
  let lastId = 0;

  const take = (id: JsonRpcId | null): Waiting | undefined => {
    if (id === null) return undefined;
    const entry = waiting.get(id);
    waiting.delete(id);
    return entry;
  };

  const wait = (options: WaitOptions): Promise<unknown> => {
    const { method, result, timeoutMs, signal, send, onAbandoned } = options;
    const toCancelled = (): CasementError => new CasementError('cancelled', `${method} was cancelled.`);
    if (signal?.aborted) return Promise.reject(toCancelled());
    const id = ++lastId;
    const abandon = (error: CasementError): void => {
      take(id)?.reject(error);
      onAbandoned(id, error.message);
    };
    const onAbort = (): void => abandon(toCancelled());
    const timer = setTimeout(
      () => abandon(new CasementError('peer-timeout', `${method} was not answered within ${timeoutMs} ms.`)),
      Math.min(timeoutMs, MAX_DELAY),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
    return new Promise((resolve, reject) => {
      waiting.set(id, { method, result, resolve, reject });
      send(id);
    }).finally(() => {
      waiting.delete(id);
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
  };

  const settle = (message: JsonRpcSuccess | JsonRpcFailure): boolean => {
    const entry = take(message.id);
    if (!entry) return false;
    if ('error' in message) {
      // The text is the other end's: kept short, never treated as ours.
      const wire = { ...message.error, message: message.error.message.slice(0, 2000) };
      entry.reject(new CasementError('peer-error', wire.message, { wire }));
      return true;
    }
    const checked = validate(entry.result, message.result);
    if (checked.ok) entry.resolve(checked.value);
    else {
      const text = `The answer to ${entry.method} is not valid: ${checked.reason}`;
      entry.reject(new CasementError('invalid-message', text));
    }
    return true;
  };

  return {
    wait,
    settle,
    failAll(reason) {
      for (const id of [...waiting.keys()]) take(id)?.reject(reason);
    },
    get size() {
      return waiting.size;
    },
  };
};
