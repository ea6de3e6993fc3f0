import type { BeforeShellEvent, ShellChange, ShellEvents } from './shell-events.js';

type Listeners = { readonly [Name in keyof ShellEvents]: Set<(event: ShellEvents[Name]) => void> };

/** Who listens to a shell, and how they are told. */
export interface ShellListeners {
  on<Name extends keyof ShellEvents>(name: Name, listener: (event: ShellEvents[Name]) => void): () => void;
  subscribe(listener: () => void): () => void;
  changed(): void;
  /** Whether nobody objects. */
  ask(change: ShellChange, cancelable: boolean): boolean;
  /** Tells in the order of the changes, also when a listener causes another one. */
  tell(changes: readonly ShellChange[]): () => void;
}

/** Keeps the listeners of a shell; one that throws neither stops the others nor counts as a no. */
export const createShellListeners = (onError: (error: unknown) => void): ShellListeners => {
  const subscribers = new Set<() => void>();
  const listeners: Listeners = {
    'before-open': new Set(),
    'before-close': new Set(),
    'did-open': new Set(),
    'did-close': new Set(),
  };
  const untold: ShellChange[] = [];

  const callAll = <Event extends unknown[]>(all: Set<(...event: Event) => void>, ...event: Event): void => {
    for (const listener of [...all]) {
      try {
        listener(...event);
      } catch (error) {
        onError(error);
      }
    }
  };

  return {
    on(name, listener) {
      // A function of its own per call, so that one listener registered twice is two.
      const own: typeof listener = (event) => listener(event);
      listeners[name].add(own);
      return () => void listeners[name].delete(own);
    },
    subscribe(listener) {
      const own = (): void => listener();
      subscribers.add(own);
      return () => void subscribers.delete(own);
    },
    changed: () => callAll(subscribers),
    ask(change, cancelable) {
      let agreed = true;
      const preventDefault = (): void => {
        if (cancelable) agreed = false;
      };
      const event: BeforeShellEvent = { ...change, cancelable, preventDefault };
      callAll(listeners[`before-${change.kind}`], event);
      return agreed;
    },
    tell(changes) {
      untold.push(...changes);
      return () => {
        for (let change = untold.shift(); change; change = untold.shift()) {
          callAll(listeners[`did-${change.kind}`], change);
        }
      };
    },
  };
};
