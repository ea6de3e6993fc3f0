/*
 * The conversation with a host that everything in this package stands on: the class, the generated script, and the
 * `window.mcpApp` a host puts into older apps.
 *
 *  1. connect() sends ui/initialize, and ui/notifications/initialized when it was answered (VIEW-002, VIEW-003).
 *  2. Whatever is asked earlier waits until then; its time limit runs already.
 *  3. What the host tells is checked, kept and handed on as an event.
 */
import { AppError } from './errors.js';
import type { AppCapabilities, AppEvents, HostCapabilities, HostContext, Implementation } from './types.js';
import type { CallToolResult, JsonObject } from './types.js';
import { createWire, isRecord, type RequestContext } from './wire.js';
import type { Params, RequestOptions, Transport } from './wire-types.js';

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
      const params = { appInfo, appCapabilities, protocolVersion: LATEST_PROTOCOL_VERSION };
      const { hostInfo, hostCapabilities, hostContext } = await wire.request('ui/initialize', params, given);
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
