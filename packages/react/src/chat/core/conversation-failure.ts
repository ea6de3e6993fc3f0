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

/** The name of whatever was thrown; text of unknown errors stays inside, as it may hold addresses and keys. */
export const toFailure = (error: unknown, otherwise: ConversationFailure): ConversationFailure => {
  if (error instanceof TurnFailure) return error.failure;
  if (!(error instanceof CasementError)) return otherwise;
  const { code, message, hint } = error;
  return { code, message, ...(hint === undefined ? {} : { hint }) };
};
