import type { AppSnapshot } from '@casement/host';
import { isBlockedEval, isEvalError } from '@casement/protocol';

/**
 * Whether a blocked load did the app no harm that anybody saw: schema libraries, so nearly every app, try eval, are
 * refused and do without it. Only of an app that became ready, with no uncaught error that came of it.
 */
export const isSurvived = (
  violation: { readonly blockedUri: string },
  { status, scriptErrors }: Pick<AppSnapshot, 'status' | 'scriptErrors'>,
): boolean =>
  isBlockedEval(violation) &&
  (status === 'ready' || status === 'tearing-down' || status === 'closed') &&
  !scriptErrors.some(isEvalError);
