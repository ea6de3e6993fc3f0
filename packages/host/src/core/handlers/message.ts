import type { RequestHandlers } from '@casement/protocol';
import { toKnownBlock } from '@casement/protocol/consents';
import { refuse } from '../policy/decision.js';
import type { SessionLimits } from '../limits.js';
import type { SessionOptions } from '../session-options.js';
import type { Consent } from '../consent/consent.js';
import type { HandlerContext } from './handler-context.js';

/** Hands a message to the embedder, who asks the user and appends it; nothing of the conversation comes back. */
export const createMessage =
  (
    context: HandlerContext,
    consent: Consent,
    { maxMessageLength }: SessionLimits,
    onMessage: NonNullable<SessionOptions['onMessage']>,
  ): RequestHandlers['ui/message'] =>
  async ({ role, content: given }, { signal }) => {
    // What is shown is what is sent: keys a block's type does not have could carry anything.
    const content = given.map(toKnownBlock);
    const { length } = JSON.stringify(given);
    if (length > maxMessageLength) {
      context.enforce(
        'ui/message',
        refuse(
          'message-too-large',
          `The message has ${length} characters.`,
          `Send at most ${maxMessageLength}.`,
        ),
      );
    }
    if (content.length === 0) {
      context.enforce(
        'ui/message',
        refuse('message-refused', 'The message is empty.', 'Send at least one content block.'),
      );
    }
    const request = { role, content, app: context.app() };
    const isTaken = await consent({
      method: 'ui/message',
      kind: 'message',
      denial: 'message-denied',
      details: { length },
      signal,
      ask: (options) => onMessage(request, options),
      // The embedder appends, so it hears of every message.
      onAlreadyGranted: (options) => onMessage({ ...request, remembered: true }, options),
    });
    return isTaken ? {} : { isError: true };
  };
