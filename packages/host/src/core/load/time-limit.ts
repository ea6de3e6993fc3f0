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
    if (signal?.aborted) giveUp();
    work.then(resolve, reject).finally(stop);
  });

/** Resolves at that time, or when the signal aborts. */
export const pauseUntil = (time: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const ms = time - Date.now();
    if (ms <= 0 || signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    const leave = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', leave, { once: true });
  });
