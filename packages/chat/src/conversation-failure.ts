import type { ErrorCode } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';

/** What goes wrong in conversations alone; each has a row in docs/errors.md. */
export const conversationCodes = [
  'approval-denied',
  'input-malformed',
  'model-silent',
  'step-limit',
  'stream-cut',
] as const;

/** The closed list of what goes wrong in conversations, with what a model, server or app names itself. */
export type ConversationFailureCode = ErrorCode | (typeof conversationCodes)[number];

/** What went wrong, why, and what to do about it. */
export interface ConversationFailure {
  readonly code: ConversationFailureCode;
  readonly message: string;
  readonly hint?: string;
}

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
