import { CasementError } from '@casement/protocol';

/**
 * The signal of a server request made for an app: aborted when the app cancels or the session fails. A reload or an
 * orderly close ends only the waiting (the leg closes with session-closed), because the call may be the app saving.
 */
export const toServerSignal = (request: AbortSignal, failed: AbortSignal): AbortSignal => {
  const controller = new AbortController();
  const onCancel = (): void => {
    const reason: unknown = request.reason;
    if (!(reason instanceof CasementError && reason.code === 'session-closed')) controller.abort();
  };
  request.addEventListener('abort', onCancel, { once: true });
  return AbortSignal.any([controller.signal, failed]);
};
