import { CasementError } from '@casement/protocol/basics';
import type { ConversationFailure, ConversationFailureCode } from './conversation-types.js';

/** Ends a turn under a name. */
export class TurnFailure extends Error {
  readonly failure: ConversationFailure;

  constructor(code: ConversationFailureCode, message: string, hint?: string) {
    super(message);
    this.name = 'TurnFailure';
    this.failure = { code, message, ...(hint === undefined ? {} : { hint }) };
  }
}

/** What a model's failure is called that has no name of its own. */
export const modelFailed: ConversationFailure = {
  code: 'model-failed',
  message: 'The model could not answer.',
  hint: 'Try again, or choose another model.',
};

/** The name of whatever was thrown; text of unknown errors stays inside, as it may hold addresses and keys. */
export const toFailure = (error: unknown, otherwise: ConversationFailure): ConversationFailure => {
  if (error instanceof TurnFailure) return error.failure;
  if (!(error instanceof CasementError)) return otherwise;
  const { code, message, hint } = error;
  return { code, message, ...(hint === undefined ? {} : { hint }) };
};
