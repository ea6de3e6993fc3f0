import type { McpAppItem } from '../message/message.js';
import type { ShellState } from './shell-state.js';

/** One place opening or closing. */
export interface ShellChange {
  readonly kind: 'open' | 'close';
  readonly place: 'panel' | 'workspace';
  readonly messageItem: McpAppItem;
  /** On closing: the item that takes the place at once. */
  readonly replacedBy?: McpAppItem;
}

/** Asked before a place opens or closes (S5-40). */
interface BeforeShellEvent extends ShellChange {
  /** False where nobody can say no: the app is gone, or does not know the mode. */
  readonly cancelable: boolean;
  /** Leaves everything as it is. */
  preventDefault(): void;
}

/** The events of a shell by name; did-events tell what has happened (S5-41). */
interface ShellEvents {
  'before-open': BeforeShellEvent;
  'before-close': BeforeShellEvent;
  'did-open': ShellChange;
  'did-close': ShellChange;
}

interface Places {
  readonly place: ShellChange['place'];
  readonly before: McpAppItem | undefined;
  readonly after: McpAppItem | undefined;
}

/** What opens and closes between two states, closings first; an item in new words under its old id is neither (S5-11). */
export const toShellChanges = (before: ShellState, after: ShellState): readonly ShellChange[] => {
  const places: readonly Places[] = [
    {
      place: 'panel',
      before: before.mcpAppPanelState.messageItem,
      after: after.mcpAppPanelState.messageItem,
    },
    { place: 'workspace', before: before.workspace.messageItem, after: after.workspace.messageItem },
  ];
  const moved = places.filter((each) => each.before?.mcp_app_id !== each.after?.mcp_app_id);
  const closings = moved.flatMap(({ place, before: messageItem, after: replacedBy }): ShellChange[] =>
    messageItem ? [{ kind: 'close', place, messageItem, ...(replacedBy && { replacedBy }) }] : [],
  );
  const openings = moved.flatMap(({ place, after: messageItem }): ShellChange[] =>
    messageItem ? [{ kind: 'open', place, messageItem }] : [],
  );
  return [...closings, ...openings];
};

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
