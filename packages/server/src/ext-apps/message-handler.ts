import type { HostCapabilities, HostContext, Implementation, JsonRpcId } from '@casement/protocol';
import { parseJsonRpcMessage } from '@casement/protocol/wire';
import {
  EXT_APPS_ERROR_CODES,
  ExtAppsError,
  ExtAppsMethodNotFoundError,
  type ExtAppsErrorCode,
} from './ext-apps-errors.js';
import type { ExtAppsHandlerContext, ExtAppsHostCapabilities, ExtAppsResponse } from './ext-apps-types.js';
import { toHostGates } from './host-gates.js';
import { createWidgetRoutes, type WidgetRoute } from './widget-routes.js';

type Fields = Record<string, unknown>;

/** The options of a handler. */
interface ExtAppsMessageHandlerOptions {
  context: ExtAppsHandlerContext;
  /** The advertised capabilities, in FrontMCP's names or the specification's; none by default. */
  hostCapabilities?: ExtAppsHostCapabilities | HostCapabilities;
  hostInfo?: Implementation;
  hostContext?: HostContext;
}

/** The options of one message. */
interface HandleOptions {
  /** Gives the request up; its answer is then `CANCELLED`. */
  signal?: AbortSignal;
}

const toFailure = (id: JsonRpcId | null, code: ExtAppsErrorCode, message: string): ExtAppsResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/** Answers what a widget asks when a server, not a host page, holds its connection; one per session. */
export class ExtAppsMessageHandler {
  readonly #context: ExtAppsHandlerContext;
  readonly #routes: ReadonlyMap<string, WidgetRoute>;
  readonly #running = new Map<JsonRpcId, AbortController>();

  constructor({ context, hostCapabilities = {}, hostInfo, hostContext = {} }: ExtAppsMessageHandlerOptions) {
    if (typeof context?.callTool !== 'function') {
      throw new TypeError('context.callTool is missing. Give a function that calls a tool of your server.');
    }
    if (typeof context.logger?.warn !== 'function') {
      throw new TypeError('context.logger is missing. Give console, or a logger of yours.');
    }
    this.#context = context;
    const routes = createWidgetRoutes(context, toHostGates(hostCapabilities), {
      hostInfo: hostInfo ?? { name: '@casement/server', version: '0.1.0' },
      hostContext,
    });
    this.#routes = new Map([
      ...routes,
      ['notifications/cancelled', { kind: 'notification', run: (params) => this.#cancel(params) }],
    ]);
  }

  /** Takes a message, or the text of one; the answer is undefined for notifications, which have none. */
  async handleRequest(
    request: unknown,
    { signal }: HandleOptions = {},
  ): Promise<ExtAppsResponse | undefined> {
    const value = typeof request === 'string' ? parseText(request) : request;
    if (value === unreadable) {
      return toFailure(null, EXT_APPS_ERROR_CODES.PARSE_ERROR, 'The message is not JSON.');
    }
    const parsed = parseJsonRpcMessage(value);
    if (!parsed.ok) {
      return toFailure(
        parsed.id ?? null,
        EXT_APPS_ERROR_CODES.INVALID_REQUEST,
        `Invalid request: ${parsed.reason}.`,
      );
    }
    const { message } = parsed;
    if (!('method' in message)) {
      return toFailure(null, EXT_APPS_ERROR_CODES.INVALID_REQUEST, 'Invalid request: it is an answer.');
    }
    const { method, params = {} } = message;
    if (!('id' in message)) {
      await this.#hear(method, params);
      return undefined;
    }
    const { id } = message;
    if (this.#running.has(id)) {
      return toFailure(id, EXT_APPS_ERROR_CODES.INVALID_REQUEST, 'Invalid request: its id is still in use.');
    }
    const controller = new AbortController();
    const giveUp = (): void => controller.abort();
    if (signal?.aborted) giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
    this.#running.set(id, controller);
    try {
      return { jsonrpc: '2.0', id, result: (await this.#run(method, params, controller.signal)) ?? {} };
    } catch (error) {
      return this.#toAnswer(id, method, error);
    } finally {
      this.#running.delete(id);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  #cancel({ requestId }: Fields): void {
    // A value of any other type is the name of no request.
    this.#running.get(requestId as JsonRpcId)?.abort();
  }

  /** A request that came without an id is not done: nobody would learn what became of it. */
  async #hear(method: string, params: Fields): Promise<void> {
    if (this.#routes.get(method)?.kind !== 'notification') return;
    try {
      await this.#run(method, params, new AbortController().signal);
    } catch (error) {
      this.#toAnswer(null, method, error);
    }
  }

  async #run(method: string, params: Fields, signal: AbortSignal): Promise<unknown> {
    const route = this.#routes.get(method);
    if (!route) throw new ExtAppsMethodNotFoundError(`There is no method ${method.slice(0, 100)}.`);
    const { sessionId } = this.#context;
    const cancelled = new ExtAppsError('The request was cancelled.', EXT_APPS_ERROR_CODES.CANCELLED);
    if (signal.aborted) throw cancelled;
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(cancelled), { once: true });
      // A route may throw at once; either way a late outcome after an abort goes nowhere.
      (async () => route.run(params, { method, sessionId, signal }))().then(resolve, reject);
    });
  }

  #toAnswer(id: JsonRpcId | null, method: string, error: unknown): ExtAppsResponse {
    const { logger, sessionId } = this.#context;
    const known = error instanceof ExtAppsError;
    const { code, message } = known
      ? error
      : { code: EXT_APPS_ERROR_CODES.INTERNAL_ERROR, message: 'Internal error' };
    const cause: unknown = known ? error.cause : error;
    logger.warn(`${method} was refused: ${message}`, {
      sessionId,
      code,
      ...(cause !== undefined && { cause }),
    });
    return toFailure(id, code, message);
  }
}

/** Makes a handler; the same as `new ExtAppsMessageHandler`. */
export const createExtAppsMessageHandler = (options: ExtAppsMessageHandlerOptions): ExtAppsMessageHandler =>
  new ExtAppsMessageHandler(options);

const unreadable = Symbol('unreadable');

const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return unreadable;
  }
};
