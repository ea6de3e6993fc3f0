import { CasementError } from '@casement/protocol';
import { refuseRate, toDenial } from '../policy.js';
import { createRateLimit } from '../rate-limit.js';
import type { ConsentAnswer } from '../session-options.js';
import type { HandlerContext } from './handler-context.js';

/** Asks the embedder's hook, one question at a time and not too often (E08); only true and 'always' are a yes. */
export type Consent = (
  ask: () => Promise<ConsentAnswer>,
  details: Record<string, unknown>,
) => Promise<boolean>;

/** The consent of one method; a burst is refused without a question. */
export const createConsent = (
  context: HandlerContext,
  method: 'ui/open-link' | 'ui/message',
  denial: 'link-denied' | 'message-denied',
): Consent => {
  const limit = createRateLimit(3, 10_000);
  let isAsking = false;
  return async (ask, details) => {
    if (isAsking || !limit.take()) context.enforce(method, refuseRate(method), details);
    isAsking = true;
    try {
      const answer = await ask();
      const isGranted = answer === true || answer === 'always';
      if (!context.isServing()) throw new CasementError('session-closed', 'The app was closed meanwhile.');
      context.recorder.decision(
        method,
        isGranted ? { allow: true, reason: 'The user agreed.' } : toDenial(denial),
        details,
      );
      return isGranted;
    } finally {
      isAsking = false;
    }
  };
};
