/** Settles as `work` does, or rejects with `toError()` after `ms`; the timer never outlives the work. */
export const withTimeLimit = <T>(work: Promise<T>, ms: number, toError: () => Error): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(toError()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
