import type { RequestHandlers } from '@casement/protocol';
import { CasementError } from '@casement/protocol';
import type { AppOptions } from '../session-options.js';
import { createConsent } from './consent.js';
import type { HandlerContext } from './handler-context.js';

const maxLength = 256 * 1024;

/** Hands a message to the embedder, who asks the user and appends it; nothing of the conversation comes back. */
export const createMessage = (
  context: HandlerContext,
  onMessage: NonNullable<AppOptions['onMessage']>,
): RequestHandlers['ui/message'] => {
  const consent = createConsent(context, 'ui/message', 'message-denied');
  return async ({ role, content }) => {
    const length = JSON.stringify(content).length;
    if (length > maxLength) {
      throw new CasementError('message-too-large', `The message has ${length} characters.`, {
        hint: `Send at most ${maxLength} characters.`,
      });
    }
    const isTaken = await consent(() => onMessage({ role, content, app: context.app() }), { length });
    return isTaken ? {} : { isError: true };
  };
};
