import type { ErrorCode } from '@casement/protocol';
import { CasementError } from '../core/loaded/loaded.js';
import type { Answer, Asked, fire } from './element-events.js';
import type { McpAppPolicy } from './element-settings.js';

/** Loaded on demand. Fires an event that asks; undefined when nobody took it, a rejection when a listener refused. */
export const ask = <N extends keyof Asked>(
  target: EventTarget,
  name: N,
  question: Asked[N][0],
  /** Handed over so that bundlers keep it where it is. */
  fireEvent: typeof fire,
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
    if (!fireEvent(target, name, { ...question, ...detail })) isTaken = true;
  });
  // A refusal nobody waits for (the element did the safe thing already) is no error of the page.
  answer.catch(() => undefined);
  return isTaken ? answer : undefined;
};

const refusals: Record<keyof Asked, ErrorCode> = {
  'mcp-app-request-display-mode': 'display-mode-refused',
  'mcp-app-request-teardown': 'internal', // never leaves the element: a refusal is the answer false
  'mcp-app-open-link': 'link-denied',
  'mcp-app-message': 'message-denied',
  'mcp-app-download': 'download-denied',
  'mcp-app-sampling': 'sampling-denied',
  'mcp-app-tool-consent': 'tool-call-denied',
  'mcp-app-tools-call': 'tool-failed',
  'mcp-app-resources-read': 'resource-refused',
};

/** The hooks that ask, each with its event. */
export interface AskingHooks {
  onOpenLink: 'mcp-app-open-link';
  onMessage: 'mcp-app-message';
  onDownload: 'mcp-app-download';
  onSampling: 'mcp-app-sampling';
  onToolCall: 'mcp-app-tool-consent';
  onDisplayMode: 'mcp-app-request-display-mode';
  onRequestTeardown: 'mcp-app-request-teardown';
}

/**
 * Returns the answer of a listener, else of the callback. Without either, consent is denied, but a change of mode or a
 * request to be closed is granted.
 */
export const answerHook = async <H extends keyof AskingHooks>(
  element: EventTarget & { readonly policy: McpAppPolicy | undefined },
  hook: H,
  name: AskingHooks[H],
  [question, options]: readonly unknown[],
  fireEvent: typeof fire,
): Promise<Asked[AskingHooks[H]][1]> => {
  type Reply = Asked[AskingHooks[H]][1];
  // The arguments are those of the hook, whose event asks the same question.
  const asked = { ...(question as object), ...(options as object) } as Asked[AskingHooks[H]][0];
  const mode = hook === 'onDisplayMode' ? (asked as Asked['mcp-app-request-display-mode'][0]) : undefined;
  const refused = (mode?.current ?? false) as Reply; // false is an answer to every question but the one for a mode
  const answer = ask(element, name, asked, fireEvent)?.catch(() => refused);
  if (answer) return answer;
  const callback = element.policy?.[hook] as
    ((...args: readonly unknown[]) => Reply | Promise<Reply>) | undefined;
  const granted = (mode?.mode ?? hook === 'onRequestTeardown') as Reply;
  return callback ? callback.call(element.policy, question, options) : granted;
};
