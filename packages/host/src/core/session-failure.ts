import type { ErrorCode, SessionStep } from '@casement/protocol';
import { CasementError } from '@casement/protocol/basics';
import type { SessionFailure } from './app-snapshot.js';

/** The failure an error stands for; what is not ours becomes `fallback` with the error's own words. */
export const toFailure = (error: unknown, step: SessionStep, fallback: ErrorCode): SessionFailure => {
  if (error instanceof CasementError) {
    return {
      step: error.step ?? step,
      code: error.code,
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    };
  }
  return { step, code: fallback, message: error instanceof Error ? error.message : String(error) };
};
