/*
 * The conversation with a host that everything in this package stands on: the class, the generated script, and the
 * `window.mcpApp` a host puts into older apps.
 *
 *  1. connect() sends ui/initialize, and ui/notifications/initialized when it was answered (VIEW-002, VIEW-003).
 *  2. Whatever is asked earlier waits until then; its time limit runs already.
 *  3. What the host tells is checked, kept and handed on as an event.
 *
 * The wire comes first: JSON-RPC with ids, time limits and cancellation, which knows nothing of what is said.
 */
import { AppError } from './errors.js';
import type { AppCapabilities, AppEvents, HostCapabilities, HostContext, Implementation } from './types.js';
import type { CallToolResult, JsonObject } from './types.js';
import type {
  Params,
  Progress,
  RequestId,
  RequestOptions,
  Transport,
  WireError,
  WireMessage,
} from './wire-types.js';

/** What a handler of a request gets besides the parameters. */
export interface RequestContext {
  /** Aborts when the host gives up or the connection ends. */
  readonly signal: AbortSignal;
}

/** The options of createWire. */
interface WireOptions {
  readonly transport: Transport;
  readonly timeoutMs: number;
  /** Put before request ids, where others in the same page send requests too. */
  readonly idPrefix?: string;
  /** Returns the answer, or undefined to leave the request to somebody else. */
  readonly onRequest: (method: string, params: Params, context: RequestContext) => unknown;
  readonly onNotification: (method: string, params: Params) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** JSON-RPC over a transport; nothing that arrives makes it throw. */
interface Wire {
  /** `begin` decides when the request is posted; its time limit runs from the call. */
  request(
    method: string,
    params: Params,
    options?: RequestOptions,
    begin?: (post: () => void) => void,
  ): Promise<Params>;
  notify(method: string, params: Params): void;
  /** Ends the connection; open requests fail with the reason. */
  close(reason?: AppError): void;
}

/** A request of ours that waits for its answer. */
interface Waiting {
  settle(message: Params): void;
  fail(error: AppError): void;
  progress(params: Params): void;
}

/** A plain object, whatever realm it is from. */
export const isRecord = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is RequestId => typeof value === 'string' || Number.isSafeInteger(value);

const internal: WireError = { code: -32603, message: 'Internal error' };

/** The host's error, as far as it is one. */
const toWireError = (value: unknown): WireError => {
  const { code, message = internal.message, data }: Params = isRecord(value) ? value : {};
  return { code: Number(code) || -32603, message: String(message).slice(0, 2000), data };
};

/** Creates both sides of JSON-RPC over a transport: ids, answers, time limits, cancellation both ways. */
const createWire = (options: WireOptions): Wire => {
  const { transport, onTrouble } = options;
  const waiting = new Map<unknown, Waiting>();
  const answering = new Map<unknown, AbortController>();
  let isOpen = true;
  let count = 0;

  const post = (message: WireMessage): void => {
    try {
      if (isOpen) transport.send(message);
    } catch (cause) {
      // A function, for example, or an element.
      throw new AppError('malformed', 'The message cannot be sent.', { cause });
    }
  };
  const notify = (method: string, params: Params): void => post({ jsonrpc: '2.0', method, params });
  const refuse = (id: RequestId, code: number, message: string): void =>
    post({ jsonrpc: '2.0', id, error: { code, message } });

  const request: Wire['request'] = (method, params, given = {}, begin = (send) => send()) =>
    new Promise((resolve, reject) => {
      const { signal, timeoutMs = options.timeoutMs, onprogress } = given;
      if (!isOpen) return reject(new AppError('closed', `${method}: the app was closed.`));
      count += 1;
      const id = options.idPrefix ? options.idPrefix + count : count;
      let isSent = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = (): void => {
        waiting.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const fail = (error: AppError): void => {
        end();
        reject(error);
      };
      const giveUp = (error: AppError): void => {
        fail(error);
        if (isSent) notify('notifications/cancelled', { requestId: id, reason: error.message });
      };
      const onAbort = (): void => giveUp(new AppError('cancelled', `${method} was cancelled.`));
      const limit = (): void => {
        clearTimeout(timer);
        timer = setTimeout(
          () => giveUp(new AppError('timeout', `${method} was not answered within ${timeoutMs} ms.`)),
          // A longer time would be taken for none at all.
          Math.min(timeoutMs, 2e9),
        );
      };
      limit();
      signal?.addEventListener('abort', onAbort);
      waiting.set(id, {
        fail,
        settle({ result, error }) {
          if (error !== undefined) {
            const wire = toWireError(error);
            fail(new AppError('refused', wire.message, { wire }));
          } else if (isRecord(result)) {
            end();
            resolve(result);
          } else fail(new AppError('malformed', `The answer to ${method} is not valid.`));
        },
        progress(report) {
          if (!onprogress || typeof report['progress'] !== 'number') return;
          limit();
          // The number was checked; the rest is the host's word.
          onprogress(report as unknown as Progress);
        },
      });
      // Spreading anything but an object adds nothing.
      const meta = onprogress && { _meta: { ...(params['_meta'] as object), progressToken: id } };
      if (signal?.aborted) onAbort();
      begin(() => {
        if (!waiting.has(id)) return;
        try {
          post({ jsonrpc: '2.0', id, method, params: { ...params, ...meta } });
          isSent = true;
        } catch (error) {
          // What post throws.
          fail(error as AppError);
        }
      });
    });

  const answer = async (id: RequestId, method: string, params: Params): Promise<void> => {
    const controller = new AbortController();
    answering.set(id, controller);
    try {
      const result = await options.onRequest(method, params, controller);
      if (controller.signal.aborted || result === undefined) return;
      post({ jsonrpc: '2.0', id, result: isRecord(result) ? result : {} });
    } catch (error) {
      const { code, message } = (error instanceof AppError && error.wire) || internal;
      // The app's own mistake, not the host's.
      if (code === -32603) onTrouble(error);
      if (!controller.signal.aborted) refuse(id, code, message);
    } finally {
      answering.delete(id);
    }
  };

  const receive = (data: unknown): void => {
    // Others may use the same window; only what claims to be ours can be malformed.
    if (!isRecord(data) || data['jsonrpc'] !== '2.0') return;
    const { id, method, params = {} } = data;
    const malformed = (): void =>
      onTrouble(new AppError('malformed', `The host sent a ${String(method)} that is not valid.`));
    if (typeof method === 'string') {
      if (!isRecord(params)) {
        malformed();
        if (isId(id)) refuse(id, -32602, 'Invalid params');
      } else if (isId(id)) void answer(id, method, params);
      else if (id !== undefined) malformed();
      else if (method === 'notifications/cancelled') answering.get(params['requestId'])?.abort();
      else if (method === 'notifications/progress') waiting.get(params['progressToken'])?.progress(params);
      else options.onNotification(method, params);
    } else if ('result' in data || 'error' in data) waiting.get(id)?.settle(data);
    else malformed();
  };

  const unsubscribe = transport.subscribe((data) => {
    if (!isOpen) return;
    try {
      receive(data);
    } catch (error) {
      onTrouble(error);
    }
  }, onTrouble);

  return {
    request,
    notify,
    close(reason = new AppError('closed', 'The app was closed.')) {
      if (!isOpen) return;
      isOpen = false;
      unsubscribe();
      transport.close();
      for (const { fail } of waiting.values()) fail(reason);
      for (const controller of answering.values()) controller.abort();
    },
  };
};

/** The protocol version this package speaks. */
export const LATEST_PROTOCOL_VERSION = '2026-01-26';

/** The notifications of a host, and the events they become. */
export const eventTypes = new Map<string, keyof AppEvents>([
  ['ui/notifications/tool-input', 'toolinput'],
  ['ui/notifications/tool-input-partial', 'toolinputpartial'],
  ['ui/notifications/tool-result', 'toolresult'],
  ['ui/notifications/tool-cancelled', 'toolcancelled'],
  ['ui/notifications/host-context-changed', 'hostcontextchanged'],
  ['notifications/tools/list_changed', 'toollistchanged'],
  ['notifications/resources/list_changed', 'resourcelistchanged'],
]);

/** All that the host has told so far, about itself and the call. */
interface SessionState {
  hostInfo?: Implementation;
  hostCapabilities?: HostCapabilities;
  hostContext?: HostContext;
  toolInput?: JsonObject;
  toolResult?: CallToolResult;
}

/** The options of createSession. */
interface SessionOptions {
  readonly transport: Transport;
  readonly timeoutMs: number;
  readonly idPrefix?: string;
  /** Called after the state was brought up to date. */
  readonly emit: (type: keyof AppEvents, params: Params) => void;
  /** Answers requests; undefined leaves one unanswered. */
  readonly onRequest: (method: string, params: Params, context: RequestContext) => unknown;
  readonly onTrouble: (error: unknown) => void;
}

/** A conversation with a host. */
export interface Session {
  readonly state: Readonly<SessionState>;
  connect(appInfo: Implementation, capabilities: AppCapabilities, options?: RequestOptions): Promise<void>;
  /** Sent when the handshake is done. */
  request(method: string, params: Params, options?: RequestOptions): Promise<Params>;
  /** Sent when the handshake is done. */
  notify(method: string, params: Params): void;
  /** The handshake is done, by whomever. */
  open(): void;
  close(reason?: AppError): void;
}

/** Creates the conversation over a transport. It listens at once and sends nothing before connect(). */
export const createSession = (options: SessionOptions): Session => {
  const state: SessionState = {};
  let held: (() => void)[] | undefined = [];
  const whenOpen = (action: () => void): void => {
    if (held) held.push(action);
    else action();
  };
  const open = (): void => {
    const actions = held ?? [];
    held = undefined;
    for (const action of actions) {
      try {
        action();
      } catch (error) {
        // One that cannot be sent keeps neither the others nor the handshake.
        options.onTrouble(error);
      }
    }
  };

  const hear = (type: keyof AppEvents, params: Params): void => {
    const input = params['arguments'];
    if (
      (input !== undefined && !isRecord(input)) ||
      ('content' in params && !Array.isArray(params['content']))
    )
      throw new AppError('malformed', `The host sent a ${type} that is not valid.`);
    // Checked as far as an app's own code would stumble; the rest is the host's word.
    if (type === 'toolinput') state.toolInput = input ?? {};
    if (type === 'toolresult') {
      params = { content: [], ...params };
      state.toolResult = params as unknown as CallToolResult;
    }
    // VIEW-010: what is not mentioned stays.
    if (type === 'hostcontextchanged') state.hostContext = { ...state.hostContext, ...params };
    options.emit(type, params);
  };

  const wire = createWire({
    ...options,
    onNotification: (method, params) => {
      const type = eventTypes.get(method);
      if (type) hear(type, params);
    },
  });

  return {
    state,
    open,
    async connect(appInfo, appCapabilities, given) {
      const { hostInfo, hostCapabilities, hostContext } = await wire.request(
        'ui/initialize',
        { appInfo, appCapabilities, protocolVersion: LATEST_PROTOCOL_VERSION },
        given,
      );
      if (![hostInfo ?? {}, hostCapabilities ?? {}, hostContext ?? {}].every(isRecord))
        throw new AppError('malformed', 'The answer to ui/initialize is not valid.');
      // Objects, as was just checked; their members are optional or the host's word.
      Object.assign(state, {
        hostInfo,
        hostCapabilities: hostCapabilities ?? {},
        hostContext: hostContext ?? {},
      });
      wire.notify('ui/notifications/initialized', {});
      open();
    },
    request: (method, params, given) => wire.request(method, params, given, whenOpen),
    notify: (method, params) => whenOpen(() => wire.notify(method, params)),
    close: wire.close,
  };
};
