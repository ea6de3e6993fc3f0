import type { CallToolResult, DisplayMode, HostContext, ParamsOf, ResultOf } from '@casement/protocol';

type Fields = Record<string, unknown>;
type Nothing = Record<string, never>;

/** The capabilities of a host, in FrontMCP's names. */
export interface ExtAppsHostCapabilities {
  serverToolProxy?: boolean;
  openLink?: boolean;
  modelContextUpdate?: boolean;
  widgetTools?: boolean;
  displayModes?: readonly DisplayMode[];
  logging?: boolean;
}

/** The capabilities of a widget. */
export interface ExtAppsWidgetCapabilities {
  tools?: { listChanged?: boolean };
  supportsPartialInput?: boolean;
}

/** The requests of a widget under FrontMCP's names. */
interface ExtAppsDocumentRequests {
  'ui/callServerTool': { params: { name: string; arguments?: Fields }; result: unknown };
  'ui/updateModelContext': { params: { context: unknown; merge?: boolean }; result: Nothing };
  'ui/openLink': { params: { url: string }; result: Nothing };
  'ui/setDisplayMode': { params: { mode: DisplayMode }; result: { mode: DisplayMode } };
  'ui/close': { params: { reason?: string }; result: Nothing };
  'ui/log': {
    params: { level?: 'debug' | 'info' | 'warn' | 'error'; message: string; data?: unknown };
    result: Nothing;
  };
  'ui/registerTool': {
    params: { name: string; description: string; inputSchema: Fields };
    result: Nothing;
  };
  'ui/unregisterTool': { params: { name: string }; result: Nothing };
}

/** The requests of a widget under the specification's names. */
interface ExtAppsSpecRequests {
  'ui/initialize': { params: ParamsOf<'ui/initialize'>; result: ResultOf<'ui/initialize'> };
  'tools/call': { params: { name: string; arguments?: Fields }; result: CallToolResult };
  'ui/update-model-context': { params: ParamsOf<'ui/update-model-context'>; result: Nothing };
  'ui/open-link': { params: { url: string }; result: Nothing };
  'ui/request-display-mode': { params: { mode: DisplayMode }; result: { mode: DisplayMode } };
  ping: { params: Nothing; result: Nothing };
}

/** The notifications of a widget. */
export interface ExtAppsWidgetNotifications {
  'ui/notifications/initialized': Nothing;
  'ui/notifications/request-teardown': { reason?: string };
  'ui/notifications/size-changed': { width?: number; height?: number };
  'notifications/message': {
    level: ParamsOf<'notifications/message'>['level'];
    logger?: string;
    data?: unknown;
  };
  'notifications/tools/list_changed': Nothing;
  'notifications/cancelled': { requestId: string | number; reason?: string };
}

/** The notifications to a widget. The handler sends none: whoever holds the connection does. */
export interface ExtAppsHostNotifications {
  'ui/notifications/tool-input': { arguments?: Fields };
  'ui/notifications/tool-input-partial': { arguments?: Fields };
  'ui/notifications/tool-result': CallToolResult;
  'ui/notifications/host-context-changed': HostContext;
  'ui/notifications/tool-cancelled': { reason?: string };
  /** The same under FrontMCP's name. */
  'ui/notifications/cancelled': { reason?: string };
}

/** Every request a widget may make, by name. */
export type ExtAppsRequests = ExtAppsSpecRequests & ExtAppsDocumentRequests;

/** An answer as JSON-RPC wants it. */
export type ExtAppsResponse =
  | { jsonrpc: '2.0'; id: string | number; result: unknown }
  | { jsonrpc: '2.0'; id: string | number | null; error: { code: number; message: string } };

/** The logger of a handler; `console` is one. */
interface ExtAppsLogger {
  debug(message: string, data?: unknown): void;
  info(message: string, data?: unknown): void;
  warn(message: string, data?: unknown): void;
  error(message: string, data?: unknown): void;
}

/** The request a callback works for. */
export interface ExtAppsCall {
  readonly method: string;
  readonly sessionId: string;
  /** Aborted when the widget or the connection gives the request up. */
  readonly signal: AbortSignal;
}

type Answer<T> = T | Promise<T>;

/** The callbacks that do the work. A request whose callback is missing is refused. */
export interface ExtAppsHandlerContext {
  readonly sessionId: string;
  readonly logger: ExtAppsLogger;
  /** The server's own way to a tool, with the rights of the session. */
  callTool(name: string, args: Fields, call: ExtAppsCall): Answer<unknown>;
  /** Under the specification's name the whole `{content, structuredContent}`, which replaces; under FrontMCP's the `context`. */
  updateModelContext?(context: unknown, merge: boolean, call: ExtAppsCall): Answer<void>;
  /** The address is http or https. */
  openLink?(url: string, call: ExtAppsCall): Answer<void>;
  /** May return the mode that came of it; otherwise it is the wished one. */
  setDisplayMode?(mode: DisplayMode, call: ExtAppsCall): Answer<unknown>;
  close?(reason: string | undefined, call: ExtAppsCall): Answer<void>;
  registerTool?(name: string, description: string, inputSchema: Fields, call: ExtAppsCall): Answer<void>;
  unregisterTool?(name: string, call: ExtAppsCall): Answer<void>;
}
