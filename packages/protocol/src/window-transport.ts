import { CasementError } from './errors.js';
import type { Transport } from './transport.js';

/** The part of a MessageEvent that matters here. */
export interface WindowMessage {
  readonly data: unknown;
  readonly origin: string;
  readonly source: unknown;
  readonly ports?: readonly { close(): void }[];
}

/** A window one can post to. */
export interface WindowEndpoint {
  postMessage(message: unknown, targetOrigin: string): void;
}

/** A window on which messages arrive. */
export interface WindowListener {
  addEventListener(type: 'message', listener: (event: WindowMessage) => void): void;
  removeEventListener(type: 'message', listener: (event: WindowMessage) => void): void;
}

/** A message that was not let in. */
export interface RejectedMessage {
  readonly reason: 'source' | 'origin';
  readonly origin: string;
}

/** What createWindowTransport needs. */
export interface WindowTransportOptions {
  readonly listenOn: WindowListener;
  /** Asked each time: a frame's window comes and goes. */
  readonly peer: () => WindowEndpoint | null;
  /** Exact origin of the peer, or 'null' for an opaque frame. */
  readonly origin: string;
  readonly targetOrigin?: string;
  readonly onRejected?: (info: RejectedMessage) => void;
}

/** One transport as the window it listens on sees it. */
interface Door {
  readonly peer: WindowTransportOptions['peer'];
  readonly onRejected: WindowTransportOptions['onRejected'];
  receive(event: WindowMessage): void;
}

/** The doors of one window, those that were never spoken through and the others by the window behind them. */
interface Hall {
  readonly unmet: Set<Door>;
  readonly met: Map<unknown, Door>;
  readonly listener: (event: WindowMessage) => void;
}

const halls = new WeakMap<WindowListener, Hall>();

/**
 * One listener for all doors, and a door is asked for its window only until it has been found: asking for the window
 * of a frame that has not loaded makes the browser build a realm for it, and thirty of those in one task are a stall.
 */
const createHall = (): Hall => {
  const unmet = new Set<Door>();
  const met = new Map<unknown, Door>();
  const findDoor = (source: unknown): Door | undefined => {
    const known = met.get(source);
    // Asked each time: the frame behind a door may have been exchanged.
    if (known?.peer() === source) return known;
    if (known) {
      met.delete(source);
      unmet.add(known);
    }
    for (const door of unmet) {
      if (door.peer() !== source) continue;
      unmet.delete(door);
      met.set(source, door);
      return door;
    }
    return undefined;
  };
  return {
    unmet,
    met,
    listener(event) {
      // Both may be null: a missing window must not match a message without a source.
      const door = event.source ? findDoor(event.source) : undefined;
      if (door) return door.receive(event);
      for (const other of [...unmet, ...met.values()]) {
        other.onRejected?.({ reason: 'source', origin: event.origin });
      }
    },
  };
};

/** Talks to one window of one origin, the only transport to it; other windows on the page are never heard (B01–B03). */
export const createWindowTransport = (options: WindowTransportOptions): Transport => {
  const { listenOn, peer, origin, onRejected } = options;
  const targetOrigin = options.targetOrigin ?? (origin === 'null' ? '*' : origin);
  assertOrigins(origin, targetOrigin);
  const listeners = new Set<(data: unknown) => void>();
  let open = true;

  const hall = halls.get(listenOn) ?? createHall();
  halls.set(listenOn, hall);
  const door: Door = {
    peer,
    onRejected,
    receive(event) {
      // Nobody here wants a port, and an open one keeps a channel alive past the session (B20).
      for (const port of event.ports ?? []) port.close();
      if (event.origin !== origin) {
        onRejected?.({ reason: 'origin', origin: event.origin });
        return;
      }
      for (const listener of [...listeners]) listener(event.data);
    },
  };
  hall.unmet.add(door);
  listenOn.addEventListener('message', hall.listener);

  return {
    send(message) {
      if (open) peer()?.postMessage(message, targetOrigin);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      open = false;
      listeners.clear();
      hall.unmet.delete(door);
      for (const [source, known] of hall.met) if (known === door) hall.met.delete(source);
      if (hall.unmet.size + hall.met.size === 0) listenOn.removeEventListener('message', hall.listener);
    },
  };
};

const assertOrigins = (origin: string, targetOrigin: string): void => {
  const exact = (value: string): boolean => URL.canParse(value) && new URL(value).origin === value;
  if (
    origin === 'null' ? targetOrigin === '*' || exact(targetOrigin) : exact(origin) && exact(targetOrigin)
  ) {
    return;
  }
  throw new CasementError(
    'sandbox-misconfigured',
    `A window transport needs exact origins, not ${JSON.stringify(origin)} and ${JSON.stringify(targetOrigin)}.`,
    { hint: "Pass an origin such as 'https://apps.example.com'; '*' is only for opaque frames." },
  );
};
