import type {
  AppCapabilities,
  CallToolResult,
  DisplayMode,
  Implementation,
  ReadResourceResult,
} from '@casement/protocol';
import type { SessionFailure } from '../core/state/session-state.js';
import type { AppTool, ModelContext } from '../core/state/app-snapshot.js';
import type { Caller } from '@casement/protocol/ports';
import type {
  AppLog,
  ConsentAnswer,
  DownloadRequest,
  LinkRequest,
  MessageRequest,
  SamplingRequest,
  ToolCallRequest,
} from '../core/session-options.js';

/**
 * How a listener answers an event that asks something: during the event with a value or a promise, or later after
 * preventDefault(). The first answer counts; without one the element does the safe thing.
 */
export interface Answer<T> {
  respond(answer: T | Promise<T>): void;
  refuse(reason?: string): void;
}

/** What events that only tell something carry. */
interface Told {
  'mcp-app-initialize': { appInfo: Implementation; appCapabilities: AppCapabilities };
  'mcp-app-initialized': { epoch: number };
  'mcp-app-size-changed': { width?: number; height?: number };
  /** Another mode is in force, whoever chose it; the attribute display-mode says so already. */
  'mcp-app-display-mode-changed': { mode: DisplayMode };
  'mcp-app-sandbox-proxy-ready': Record<string, never>;
  'mcp-app-sandbox-resource-ready': Record<string, never>;
  'mcp-app-notifications-message': AppLog;
  /** What the model should know of the app from now on; undefined when the app took it back. */
  'mcp-app-update-model-context': { context: ModelContext | undefined; app: MessageRequest['app'] };
  /** The tools the app itself offers now; `callAppTool` runs them. */
  'mcp-app-tools-changed': { appTools: readonly AppTool[] };
  'mcp-app-failure': SessionFailure;
}

/** A question that ends with the app: aborted once nobody waits for the answer. */
interface Pending {
  readonly signal?: AbortSignal;
}

/** What events that ask carry: the question, and what an answer is. */
export interface Asked {
  'mcp-app-request-display-mode': [{ mode: DisplayMode; current: DisplayMode }, DisplayMode];
  'mcp-app-request-teardown': [Record<string, never>, boolean];
  'mcp-app-open-link': [LinkRequest & Pending, ConsentAnswer];
  'mcp-app-message': [MessageRequest & Pending, ConsentAnswer];
  'mcp-app-download': [DownloadRequest & Pending, ConsentAnswer];
  'mcp-app-sampling': [SamplingRequest & Pending, ConsentAnswer];
  /** Whether a call may be made that may do harm by the tool's own words; `mcp-app-tools-call` makes it. */
  'mcp-app-tool-consent': [ToolCallRequest & Pending, ConsentAnswer];
  'mcp-app-tools-call': [
    { name: string; arguments?: Record<string, unknown>; caller: Caller } & Pending,
    CallToolResult,
  ];
  'mcp-app-resources-read': [{ uri: string; caller: Caller } & Pending, ReadResourceResult];
}

/** Every event of the element; all bubble, and cross shadow roots. */
export type McpAppEventMap = { [N in keyof Told]: CustomEvent<Told[N]> } & {
  [N in keyof Asked]: CustomEvent<Asked[N][0] & Answer<Asked[N][1]>>;
};

/** Fires an event that tells something; false when a listener prevented what the element would do itself. */
export const tell = <N extends keyof Told>(target: EventTarget, name: N, detail: Told[N]): boolean =>
  fire(target, name, detail);

/** Fires any event of the element. */
export const fire = (target: EventTarget, name: string, detail: object): boolean =>
  target.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, cancelable: true, detail }));
