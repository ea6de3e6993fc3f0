/** Something with a current value that tells when it changed. */
export interface Readable<T> {
  getSnapshot(): T;
  subscribe(listener: () => void): () => void;
}

/** A value that can be replaced. */
export interface Store<T> extends Readable<T> {
  set(next: T): void;
}

/** Those who want to hear of something. */
export interface Listeners<Args extends readonly unknown[] = []> {
  subscribe(listener: (...args: Args) => void): () => void;
  tell(...args: Args): void;
  count(): number;
}

/** Creates an empty set of listeners. */
export const createListeners = <Args extends readonly unknown[] = []>(): Listeners<Args> => {
  const listeners = new Set<(...args: Args) => void>();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell: (...args) => {
      for (const listener of listeners) listener(...args);
    },
    count: () => listeners.size,
  };
};

/** Creates a store; setting the very same value tells nobody. */
export const createStore = <T>(initial: T): Store<T> => createLateStore(() => initial);

/** Creates a store whose first value is made when somebody reads it, for one that costs something. */
export const createLateStore = <T>(make: () => T): Store<T> => {
  const { subscribe, tell } = createListeners();
  let held: { readonly value: T } | undefined;
  return {
    getSnapshot: () => (held ??= { value: make() }).value,
    set: (next) => {
      const isSame = held !== undefined && Object.is(next, held.value);
      held = { value: next };
      if (!isSame) tell();
    },
    subscribe,
  };
};

/** Tells what happened while `isBusy` was true when that is over, once, and everything else as it happens. */
export const holdWhile =
  (isBusy: Readable<boolean>, subscribe: Readable<unknown>['subscribe']): Readable<unknown>['subscribe'] =>
  (listener) => {
    let isHeld = false;
    const stops = [
      subscribe(() => {
        isHeld = isBusy.getSnapshot();
        if (!isHeld) listener();
      }),
      isBusy.subscribe(() => {
        if (!isHeld || isBusy.getSnapshot()) return;
        isHeld = false;
        listener();
      }),
    ];
    return () => stops.forEach((stop) => stop());
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
