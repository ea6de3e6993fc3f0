/** Settles as `work` does, or rejects with `toError()` after `ms` or once `signal` aborts; no timer outlives that. */
export const withTimeLimit = <T>(
  work: Promise<T>,
  ms: number,
  toError: () => Error,
  signal?: AbortSignal,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => {
      stop();
      reject(toError());
    };
    const timer = setTimeout(giveUp, ms);
    const stop = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
    signal?.addEventListener('abort', giveUp);
    work.then(resolve, reject).finally(stop);
  });
