/**
 * Waits for some work and returns undefined as soon as the signal aborts, even if the work ignores the signal. After an
 * abort the work is not started.
 */
export const untilAborted = <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const leave = (): void => resolve(undefined);
    if (signal.aborted) return leave();
    signal.addEventListener('abort', leave);
    work()
      .finally(() => signal.removeEventListener('abort', leave))
      .then(resolve, (error: unknown) => (signal.aborted ? leave() : reject(error)));
  });

/** What a source yields until it is aborted, whether or not it listens to its signal. */
export async function* takeUntilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilAborted(() => iterator.next(), signal);
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a source that hangs would hold the turn.
    void iterator.return?.().catch(() => undefined);
  }
}
