import { CasementError } from '@casement/protocol';

/** A signal for one server request, and what is to be done when that request is over. */
export interface ServerSignal {
  readonly signal: AbortSignal;
  release(): void;
}

/**
 * The signal of a server request made for an app: aborted when the app cancels or the session fails. A reload or an
 * orderly close ends only the waiting (the leg closes with session-closed), because the call may be the app saving;
 * it may go on for `lingerMs`.
 */
export const toServerSignal = (request: AbortSignal, failed: AbortSignal, lingerMs: number): ServerSignal => {
  const controller = new AbortController();
  let lingering: ReturnType<typeof setTimeout> | undefined;
  const onFailed = (): void => controller.abort();
  const onEnded = (): void => {
    const reason: unknown = request.reason;
    const isClosing = reason instanceof CasementError && reason.code === 'session-closed';
    if (isClosing) lingering = setTimeout(onFailed, lingerMs);
    else controller.abort();
  };
  request.addEventListener('abort', onEnded, { once: true });
  failed.addEventListener('abort', onFailed, { once: true });
  return {
    signal: controller.signal,
    release() {
      clearTimeout(lingering);
      request.removeEventListener('abort', onEnded);
      failed.removeEventListener('abort', onFailed);
    },
  };
};
