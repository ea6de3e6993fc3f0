import { CasementError, type ErrorCode } from '../errors.js';
import {
  isRequest,
  isResponse,
  parseJsonRpcMessage,
  type ParsedMessage,
  type JsonRpcFailure,
  type JsonRpcId,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcSuccess,
  type WireError,
} from './json-rpc.js';
import { toPrintable } from '../printable.js';
import {
  findMethod,
  type NotificationMethod,
  type ParamsOf,
  type RequestMethod,
  type ResultOf,
  type Sender,
} from '../messages/methods.js';
import { validate } from '../messages/parse-values.js';
import { createPendingRequests, type RequestOptions } from './pending-requests.js';
import type { Transport } from './transport.js';
import { toWireError } from './wire-errors.js';

/** What a request handler learns besides the parameters. */
interface RequestContext {
  readonly id: JsonRpcId;
  /** Aborts when the other end cancels or the peer closes. */
  readonly signal: AbortSignal;
}

/** One function per request this end answers. */
export type RequestHandlers = {
  readonly [M in RequestMethod]?: (
    params: ParamsOf<M>,
    context: RequestContext,
  ) => ResultOf<M> | Promise<ResultOf<M>>;
};

/** A validated notification; switch on `method` to know `params`. */
export type PeerNotification = {
  [M in NotificationMethod]: { readonly method: M; readonly params: ParamsOf<M> };
}[NotificationMethod];

/** Something that arrived and was not acted upon. */
export interface InvalidMessage {
  readonly code: Extract<
    ErrorCode,
    'invalid-message' | 'invalid-params' | 'method-not-found' | 'rate-limited'
  >;
  readonly reason: string;
  readonly value: unknown;
  readonly method?: string;
}

/** What createPeer needs. */
export interface PeerOptions {
  readonly transport: Transport;
  /** Reads what the transport gives, where something before the peer has parsed it already. */
  readonly parse?: (data: unknown) => ParsedMessage;
  readonly side: 'host' | 'app';
  readonly requestHandlers: RequestHandlers;
  readonly onNotification?: (notification: PeerNotification) => void;
  readonly onInvalid?: (info: InvalidMessage) => void;
  readonly onUnmatchedResponse?: (message: JsonRpcSuccess | JsonRpcFailure) => void;
  /** A handler or listener of ours threw; the other end only saw fixed text. */
  readonly onError?: (error: unknown, method: string) => void;
  readonly timeoutMs?: number;
  /** How many requests of the other end may be unanswered at a time. */
  readonly maxInFlight?: number;
}

/** One end of a conversation. */
export interface Peer {
  request<M extends RequestMethod>(
    method: M,
    params: ParamsOf<M>,
    options?: RequestOptions,
  ): Promise<ResultOf<M>>;
  notify<M extends NotificationMethod>(method: M, params: ParamsOf<M>): void;
  /** Rejects what is pending, aborts what is being answered and closes the transport. */
  close(reason?: CasementError): void;
  /** How many of our own requests wait for an answer. */
  readonly pending: number;
}

/** The handlers by name, in a shape that forgets which parameters each takes; the table's schema has checked them. */
type LooseHandler = (params: unknown, context: RequestContext) => unknown;

/** Speaks JSON-RPC by the method table: ids, answers, time limits, validation. Nothing that arrives makes it throw. */
export const createPeer = (options: PeerOptions): Peer => {
  const { transport, side, onNotification, onInvalid, onUnmatchedResponse, onError } = options;
  const { timeoutMs: defaultTimeoutMs = 30_000, maxInFlight = 64, parse = parseJsonRpcMessage } = options;
  const senders: readonly Sender[] = side === 'host' ? ['app', 'proxy'] : ['host'];
  const handlers = new Map<string, LooseHandler>([['ping', () => ({})]]);
  for (const [method, handler] of Object.entries(options.requestHandlers)) {
    // Through LooseHandler: one Map cannot know the parameter type of each method.
    if (handler) handlers.set(method, handler as LooseHandler);
  }
  const pending = createPendingRequests();
  const inFlight = new Map<JsonRpcId, AbortController>();
  let closedBy: CasementError | undefined;

  const postOrThrow = (message: JsonRpcMessage): void => {
    if (closedBy) return;
    try {
      transport.send(message);
    } catch (cause) {
      throw new CasementError('internal', 'The message cannot be sent as it is.', { cause });
    }
  };

  const post = (message: JsonRpcMessage): void => {
    try {
      postOrThrow(message);
    } catch (error) {
      onError?.(error, 'method' in message ? message.method : 'response');
    }
  };

  const refuse = (id: JsonRpcId | null, error: WireError): void => post({ jsonrpc: '2.0', id, error });

  const reject = (info: InvalidMessage, id?: JsonRpcId | null): void => {
    onInvalid?.(info);
    if (id !== undefined) refuse(id, toWireError(new CasementError(info.code, info.reason)));
  };

  const receiveRequest = async (message: JsonRpcRequest): Promise<void> => {
    const { id, method } = message;
    const invalid = { value: message, method };
    if (inFlight.has(id)) {
      // Answering under this id would settle the request that rightly owns it, hence null (B17).
      return reject(
        { code: 'invalid-message', reason: 'The request id is already in use.', ...invalid },
        null,
      );
    }
    const row = findMethod(senders, method);
    const handler = handlers.get(method);
    if (row?.kind !== 'request' || !handler) {
      // The name goes back to who sent it, in a form fit for a log.
      const reason = `Method not found: ${toPrintable(method)}`;
      return reject({ code: 'method-not-found', reason, ...invalid }, id);
    }
    const params = validate(row.params, message.params ?? {});
    if (!params.ok) {
      return reject({ code: 'invalid-params', reason: `Invalid params: ${params.reason}`, ...invalid }, id);
    }
    if (inFlight.size >= maxInFlight) {
      return reject({ code: 'rate-limited', reason: 'Too many unanswered requests.', ...invalid }, id);
    }
    const controller = new AbortController();
    inFlight.set(id, controller);
    try {
      const result = await handler(params.value, { id, signal: controller.signal });
      // A cancelled request is not answered (core MCP).
      if (!controller.signal.aborted) {
        // Through Record: every result schema in the table describes an object.
        postOrThrow({ jsonrpc: '2.0', id, result: (result ?? {}) as Record<string, unknown> });
      }
    } catch (error) {
      if (!(error instanceof CasementError) || error.code === 'internal') onError?.(error, method);
      if (!controller.signal.aborted) refuse(id, toWireError(error));
    } finally {
      inFlight.delete(id);
    }
  };

  const receiveNotification = (message: JsonRpcNotification): void => {
    const { method } = message;
    const row = findMethod(senders, method);
    if (row?.kind !== 'notification') {
      return reject({ code: 'method-not-found', reason: 'Unknown notification.', value: message, method });
    }
    const params = validate(row.params, message.params ?? {});
    if (!params.ok) {
      return reject({ code: 'invalid-params', reason: params.reason, value: message, method });
    }
    // The row's schema has just produced params for this very method.
    const notification = { method, params: params.value } as PeerNotification;
    if (notification.method === 'notifications/cancelled') {
      inFlight
        .get(notification.params.requestId)
        ?.abort(new CasementError('cancelled', 'Cancelled by the other end.'));
    }
    try {
      onNotification?.(notification);
    } catch (error) {
      onError?.(error, method);
    }
  };

  const receive = (data: unknown): void => {
    const parsed = parse(data);
    if (!parsed.ok) {
      reject({ code: 'invalid-message', reason: parsed.reason, value: data }, parsed.id);
    } else if (isResponse(parsed.message)) {
      if (!pending.settle(parsed.message)) onUnmatchedResponse?.(parsed.message);
    } else if (isRequest(parsed.message)) {
      receiveRequest(parsed.message).catch((error: unknown) => onError?.(error, 'receive'));
    } else {
      receiveNotification(parsed.message);
    }
  };

  const unsubscribe = transport.subscribe((data) => {
    if (closedBy) return;
    try {
      receive(data);
    } catch (error) {
      // Only a callback of ours can get here; a guest must not be able to break the page's event loop with it.
      onError?.(error, 'receive');
    }
  });

  const notify = <M extends NotificationMethod>(method: M, params: ParamsOf<M>): void =>
    post({ jsonrpc: '2.0', method, params: { ...params } });

  return {
    request: (method, params, { signal, timeoutMs = defaultTimeoutMs } = {}) => {
      if (closedBy) return Promise.reject(closedBy);
      const row = findMethod([side], method);
      if (!row?.result) {
        return Promise.reject(new CasementError('method-not-found', `The ${side} does not send ${method}.`));
      }
      const answer = pending.wait({
        ...{ method, result: row.result, signal, timeoutMs },
        send: (id) => postOrThrow({ jsonrpc: '2.0', id, method, params: { ...params } }),
        onAbandoned: (requestId, reason) => notify('notifications/cancelled', { requestId, reason }),
      });
      // The row's result schema is the one ResultOf is inferred from.
      return answer as Promise<ResultOf<typeof method>>;
    },
    notify,
    close(reason = new CasementError('peer-closed', 'The connection was closed.')) {
      if (closedBy) return;
      closedBy = reason;
      unsubscribe();
      transport.close();
      pending.failAll(reason);
      for (const controller of inFlight.values()) controller.abort(reason);
    },
    get pending() {
      return pending.size;
    },
  };
};
