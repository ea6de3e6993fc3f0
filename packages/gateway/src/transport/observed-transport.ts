import { AsyncLocalStorage } from 'node:async_hooks';
import type { CasementError } from '@casement/protocol/start';
import { toPrintable } from '@casement/protocol/basics';
import type {
  JSONRPCMessage,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { readWhole, type HeldTexts } from './held-payload.js';
import { isWireId, readAnsweredId, type WireId } from './wire-problem.js';

/** The progress of a call, as reported by its server. */
export interface CallProgress {
  progress: number;
  total?: number;
  message?: string;
}

/** What belongs to a request but is not sent with it. */
export interface CallScope {
  /** The session this request belongs to in the recording. */
  session?: string;
  /** True: neither the request nor its answer is recorded, because the same is asked again and again. */
  isUnrecorded?: boolean;
  /** True: a big answer may come behind a stand-in; `always`: every answer does. */
  takesHeld?: boolean | 'always';
  onProgress?(progress: CallProgress): void;
}

/** Carries a request's scope down to the transport, which alone sees the message ids. */
export const callScope = new AsyncLocalStorage<CallScope>();

/** A message of the server leg with the session it belongs to, if any. */
export interface WireRecord {
  dir: 'in' | 'out';
  message: JSONRPCMessage;
  session?: string | undefined;
}

/** A transport whose traffic is seen, and whose open requests can be failed by name. */
export interface ObservedTransport extends Transport {
  /** Answers an open request with a local failure; false when no such request is open. */
  fail(id: WireId, error: CasementError): boolean;
  /** Takes a message as if it came just now. */
  receive(message: JSONRPCMessage): void;
  /** Whether a request waits for the answer with this id. */
  isOpen(id: WireId): boolean;
  /** Whether the caller of this request takes a payload behind a stand-in. */
  takesHeld(id: WireId): CallScope['takesHeld'];
  /** Ids of requests without an answer yet. */
  readonly open: readonly WireId[];
}

/** Wraps a transport: records both directions and ties each message to the session whose call caused it. */
export const createObservedTransport = (
  inner: Transport,
  {
    onRecord,
    restore,
    toStreamEndFailure,
  }: {
    onRecord(record: WireRecord): void;
    restore: HeldTexts['restore'];
    toStreamEndFailure(): CasementError;
  },
): ObservedTransport => {
  const pending = new Map<WireId, CallScope>();

  // Some servers answer a number with its text; the client takes both.
  const openId = (id: WireId): WireId | undefined =>
    [id, Number(id)].find((candidate) => pending.has(candidate));

  const sessionOf = (message: JSONRPCMessage): string | undefined => {
    const answered = readAnsweredId(message);
    if (answered !== undefined) return pending.get(openId(answered) ?? answered)?.session;
    if (!('method' in message)) return undefined;
    const about = message.params?.progressToken ?? message.params?.requestId;
    return isWireId(about) ? pending.get(about)?.session : undefined;
  };

  // The client hands progress on later than the answer that follows it, and then drops it: told from here instead.
  const tellProgress = (message: JSONRPCMessage): void => {
    if (!('method' in message) || message.method !== 'notifications/progress') return;
    const token = message.params?.progressToken;
    const progress = readProgress(message.params);
    if (isWireId(token) && progress !== undefined) pending.get(token)?.onProgress?.(progress);
  };

  const receive = (received: JSONRPCMessage, extra?: MessageExtraInfo): void => {
    const message = restore(received);
    const answered = readAnsweredId(message);
    const isUnrecorded = answered !== undefined && pending.get(openId(answered) ?? answered)?.isUnrecorded;
    if (isUnrecorded !== true)
      onRecord({ dir: 'in', message: readWhole(message), session: sessionOf(message) });
    if (answered !== undefined) {
      const id = openId(answered);
      // An answer to nothing is recorded and no more: the client would only write it down again.
      if (id === undefined) return;
      pending.delete(id);
    }
    tellProgress(message);
    transport.onmessage?.(message, extra);
  };

  const fail = (id: WireId, error: CasementError): boolean => {
    const known = openId(id);
    if (known === undefined || !pending.delete(known)) return false;
    // The error object itself travels as data: nothing parsed from a server can be that object.
    transport.onmessage?.({
      jsonrpc: '2.0',
      id: known,
      error: { code: -32603, message: error.message, data: error },
    });
    return true;
  };

  const forget = (id: unknown): void => {
    if (isWireId(id)) pending.delete(id);
  };

  const send = async (message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> => {
    const isRequest = 'method' in message && 'id' in message;
    if (!isRequest) {
      onRecord({ dir: 'out', message, session: sessionOf(message) });
      if ('method' in message && message.method === 'notifications/cancelled')
        forget(message.params?.requestId);
      return inner.send(message, options);
    }
    const { id } = message;
    const scope = callScope.getStore() ?? {};
    pending.set(id, scope);
    if (scope.isUnrecorded !== true) onRecord({ dir: 'out', message, session: scope.session });
    // A stream that ends without the answer would otherwise leave the caller waiting for the time limit.
    const onRequestStreamEnd = options?.onRequestStreamEnd ?? (() => fail(id, toStreamEndFailure()));
    try {
      await inner.send(message, { ...options, onRequestStreamEnd });
    } catch (error) {
      pending.delete(id);
      throw error;
    }
  };

  const transport: ObservedTransport = {
    start: async () => {
      inner.onmessage = receive;
      inner.onerror = (error) => transport.onerror?.(error);
      inner.onclose = () => transport.onclose?.();
      await inner.start();
    },
    send,
    close: () => inner.close(),
    fail,
    receive,
    takesHeld: (id) => pending.get(openId(id) ?? id)?.takesHeld,
    isOpen: (id) => openId(id) !== undefined,
    get open() {
      return [...pending.keys()];
    },
    get sessionId() {
      return inner.sessionId;
    },
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    ...(inner.hasPerRequestStream === true && { hasPerRequestStream: true }),
    ...('pid' in inner && 'stderr' in inner && { pid: inner.pid, stderr: inner.stderr }),
  };
  return transport;
};

const readProgress = (params: Record<string, unknown> | undefined): CallProgress | undefined => {
  const { progress, total, message } = params ?? {};
  if (typeof progress !== 'number') return undefined;
  return {
    progress,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message: toPrintable(message, 500, { mode: 'replace' }) }),
  };
};
