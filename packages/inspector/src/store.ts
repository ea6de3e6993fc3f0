/** Something with a current value that tells when it changed. */
export interface Readable<T> {
  get(): T;
  subscribe(listener: () => void): () => void;
}

/** A value that can be replaced. */
export interface Store<T> extends Readable<T> {
  set(next: T): void;
}

/** Creates a store; setting the very same value tells nobody. */
export const createStore = <T>(initial: T): Store<T> => {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Creates a value read from elsewhere at most once per `quietMs`, however often that changes. */
export const createSampled = <T>(
  read: () => T,
  subscribe: (listener: () => void) => unknown,
  quietMs: number,
): Readable<T> => {
  const store = createStore(read());
  let timer: ReturnType<typeof setTimeout> | undefined;
  subscribe(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      store.set(read());
    }, quietMs);
  });
  return store;
};
