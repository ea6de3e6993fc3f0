import type {
  CallToolResult,
  DisplayMode,
  HostContext,
  InitializeParams,
  InitializeResult,
  LogLevel,
  UpdateModelContextParams,
} from '@casement/protocol';

type Fields = Record<string, unknown>;
type Nothing = Record<string, never>;

/** What a host can do, in that document's names. */
export interface ExtAppsHostCapabilities {
  serverToolProxy?: boolean;
  openLink?: boolean;
  modelContextUpdate?: boolean;
  widgetTools?: boolean;
  displayModes?: readonly DisplayMode[];
  logging?: boolean;
}

/** What a widget can do. */
export interface ExtAppsWidgetCapabilities {
  tools?: { listChanged?: boolean };
  supportsPartialInput?: boolean;
}

/** The requests of a widget under that document's names. */
export interface ExtAppsDocumentRequests {
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
export interface ExtAppsSpecRequests {
  'ui/initialize': { params: InitializeParams; result: InitializeResult };
  'tools/call': { params: { name: string; arguments?: Fields }; result: CallToolResult };
  'ui/update-model-context': { params: UpdateModelContextParams; result: Nothing };
  'ui/open-link': { params: { url: string }; result: Nothing };
  'ui/request-display-mode': { params: { mode: DisplayMode }; result: { mode: DisplayMode } };
  ping: { params: Nothing; result: Nothing };
}

/** What a widget tells without waiting for an answer. */
export interface ExtAppsWidgetNotifications {
  'ui/notifications/initialized': Nothing;
  'ui/notifications/request-teardown': { reason?: string };
  'ui/notifications/size-changed': { width?: number; height?: number };
  'notifications/message': { level: LogLevel; logger?: string; data?: unknown };
  'notifications/tools/list_changed': Nothing;
  'notifications/cancelled': { requestId: string | number; reason?: string };
}

/** What a widget is told; sending it is the part of whoever holds the connection. */
export interface ExtAppsHostNotifications {
  'ui/notifications/tool-input': { arguments?: Fields };
  'ui/notifications/tool-input-partial': { arguments?: Fields };
  'ui/notifications/tool-result': CallToolResult;
  'ui/notifications/host-context-changed': HostContext;
  'ui/notifications/tool-cancelled': { reason?: string };
  /** The same in that document's name. */
  'ui/notifications/cancelled': { reason?: string };
}

/** Every request a widget may make, by name. */
export type ExtAppsRequests = ExtAppsSpecRequests & ExtAppsDocumentRequests;

/** An answer as JSON-RPC wants it. */
export type ExtAppsResponse =
  | { jsonrpc: '2.0'; id: string | number; result: unknown }
  | { jsonrpc: '2.0'; id: string | number | null; error: { code: number; message: string } };

/** Where the handler's words go; `console` is one. */
export interface ExtAppsLogger {
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

/** What the handler does its work with. A callback that is missing is a refusal. */
export interface ExtAppsHandlerContext {
  readonly sessionId: string;
  readonly logger: ExtAppsLogger;
  /** The server's own way to a tool, with the rights of the session. */
  callTool(name: string, args: Fields, call: ExtAppsCall): Answer<unknown>;
  /** By the specification's name the whole `{content, structuredContent}`, which replaces; by the document's `context`. */
  updateModelContext?(context: unknown, merge: boolean, call: ExtAppsCall): Answer<void>;
  /** The address is http or https. */
  openLink?(url: string, call: ExtAppsCall): Answer<void>;
  /** May return the mode that came of it; otherwise it is the wished one. */
  setDisplayMode?(mode: DisplayMode, call: ExtAppsCall): Answer<unknown>;
  close?(reason: string | undefined, call: ExtAppsCall): Answer<void>;
  registerTool?(name: string, description: string, inputSchema: Fields, call: ExtAppsCall): Answer<void>;
  unregisterTool?(name: string, call: ExtAppsCall): Answer<void>;
}
