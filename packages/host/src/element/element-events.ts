import type {
  AppCapabilities,
  CallToolResult,
  DisplayMode,
  Implementation,
  ReadResourceResult,
} from '@casement/protocol';
import { CasementError } from '@casement/protocol/basics';
import type { SessionFailure } from '../core/app-snapshot.js';
import type { Caller } from '../core/server-port.js';
import type { AppLog, LinkRequest, MessageRequest } from '../core/session-options.js';

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
  'mcp-app-sandbox-proxy-ready': Record<string, never>;
  'mcp-app-sandbox-resource-ready': Record<string, never>;
  'mcp-app-notifications-message': AppLog;
  /** As the app sent it, unchecked. */
  'mcp-app-update-model-context': { params: unknown };
  'mcp-app-failure': SessionFailure;
}

/** What events that ask carry: the question, and what an answer is. */
interface Asked {
  'mcp-app-request-display-mode': [{ mode: DisplayMode; current: DisplayMode }, DisplayMode];
  'mcp-app-open-link': [LinkRequest, boolean];
  'mcp-app-message': [MessageRequest, boolean];
  'mcp-app-tools-call': [
    { name: string; arguments?: Record<string, unknown>; caller: Caller; signal?: AbortSignal },
    CallToolResult,
  ];
  'mcp-app-resources-read': [{ uri: string; caller: Caller; signal?: AbortSignal }, ReadResourceResult];
}

/** Every event of the element; all bubble, and cross shadow roots. */
export type McpAppEventMap = { [N in keyof Told]: CustomEvent<Told[N]> } & {
  [N in keyof Asked]: CustomEvent<Asked[N][0] & Answer<Asked[N][1]>>;
};

/** Fires an event that tells something; false when a listener prevented what the element would do itself. */
export const tell = <N extends keyof Told>(target: EventTarget, name: N, detail: Told[N]): boolean =>
  target.dispatchEvent(toEvent(name, detail));

/** Fires an event that asks something; undefined when nobody took it, a rejection when a listener refused. */
export const ask = <N extends keyof Asked>(
  target: EventTarget,
  name: N,
  question: Asked[N][0],
): Promise<Asked[N][1]> | undefined => {
  let isTaken = false;
  const answer = new Promise<Asked[N][1]>((resolve, reject) => {
    const detail: Answer<Asked[N][1]> = {
      respond(value) {
        isTaken = true;
        resolve(value);
      },
      refuse(reason = 'The host refused.') {
        isTaken = true;
        reject(new CasementError(refusals[name], reason));
      },
    };
    if (!target.dispatchEvent(toEvent(name, { ...question, ...detail }))) isTaken = true;
  });
  // A refusal nobody waits for (the element did the safe thing already) is no error of the page.
  answer.catch(() => undefined);
  return isTaken ? answer : undefined;
};

const refusals = {
  'mcp-app-request-display-mode': 'display-mode-refused',
  'mcp-app-open-link': 'link-denied',
  'mcp-app-message': 'message-denied',
  'mcp-app-tools-call': 'tool-failed',
  'mcp-app-resources-read': 'resource-refused',
} as const;

const toEvent = (name: string, detail: object): CustomEvent =>
  new CustomEvent(name, { bubbles: true, composed: true, cancelable: true, detail });
