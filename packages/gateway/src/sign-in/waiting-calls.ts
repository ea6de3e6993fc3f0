import { CasementError } from '@casement/protocol/start';

/** Calls that wait for one answer of the user. */
export interface WaitingCalls {
  /** Waits for the answer; after the time limit, `late` is thrown. */
  add(late: CasementError, signal?: AbortSignal): Promise<void>;
  count(): number;
  resolve(): void;
  reject(failure: CasementError): void;
}

/** More than this do not wait: an app that calls in a loop would fill the memory. */
const MAX_WAITING = 100;

/** Creates an empty list of waiting calls. */
export const createWaitingCalls = (waitMs: number): WaitingCalls => {
  const calls = new Set<{ resolve(): void; reject(failure: CasementError): void }>();
  return {
    add: (late, signal) =>
      new Promise((resolve, reject) => {
        if (calls.size >= MAX_WAITING || signal?.aborted) {
          reject(late);
          return;
        }
        const end = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          calls.delete(call);
        };
        const call = {
          resolve: () => {
            end();
            resolve();
          },
          reject: (failure: CasementError) => {
            end();
            reject(failure);
          },
        };
        const onAbort = (): void =>
          call.reject(
            new CasementError('cancelled', 'The request was cancelled while it waited for a sign-in.'),
          );
        const timer = setTimeout(() => call.reject(late), waitMs);
        timer.unref();
        signal?.addEventListener('abort', onAbort);
        calls.add(call);
      }),
    count: () => calls.size,
    resolve: () => {
      for (const call of [...calls]) call.resolve();
    },
    reject: (failure) => {
      for (const call of [...calls]) call.reject(failure);
    },
  };
};
