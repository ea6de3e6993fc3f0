import type { ErrorCode } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';

/** The answer of the policy; a refusal says why and what to do instead. */
export type Decision =
  | { readonly allow: true; readonly reason: string }
  | { readonly allow: false; readonly code: ErrorCode; readonly reason: string; readonly hint: string };

/** A yes with its reason. */
export const allow = (reason: string): Decision => ({ allow: true, reason });

/** A no with its reason and what to do instead. */
export const refuse = (code: ErrorCode, reason: string, hint: string): Decision => ({
  allow: false,
  code,
  reason,
  hint,
});

/** A refusal as the error a handler throws. */
export const toRefusal = (decision: Decision & { allow: false }): CasementError =>
  new CasementError(decision.code, decision.reason, { hint: decision.hint });
