import { CasementError } from '../errors.js';
import type { Transport } from './transport.js';

/** The part of a MessageEvent that matters here. */
export interface WindowMessage {
  readonly data: unknown;
  readonly origin: string;
  readonly source: unknown;
  readonly ports?: readonly { close(): void }[];
}

/** A window one can post to. */
interface WindowEndpoint {
  postMessage(message: unknown, targetOrigin: string): void;
}

/** A window on which messages arrive. */
interface WindowListener {
  addEventListener(type: 'message', listener: (event: WindowMessage) => void): void;
  removeEventListener(type: 'message', listener: (event: WindowMessage) => void): void;
}

/** A message that was not let in. */
interface RejectedMessage {
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
interface Endpoint {
  readonly peer: WindowTransportOptions['peer'];
  readonly onRejected: WindowTransportOptions['onRejected'];
  receive(event: WindowMessage): void;
}

/** The endpoints of one listening window: those whose window is not known yet, and the others by their window. */
interface EndpointRegistry {
  readonly unresolved: Set<Endpoint>;
  readonly resolved: Map<unknown, Endpoint>;
  readonly listener: (event: WindowMessage) => void;
}

const registries = new WeakMap<WindowListener, EndpointRegistry>();

/**
 * Creates the registry of one listening window. It has one listener for all endpoints, and asks an endpoint for its
 * window only until that has been found: asking for the window of a frame that has not loaded makes the browser build a realm for it, and thirty of those in one task are a stall.
 */
const createEndpointRegistry = (): EndpointRegistry => {
  const unresolved = new Set<Endpoint>();
  const resolved = new Map<unknown, Endpoint>();
  const findEndpoint = (source: unknown): Endpoint | undefined => {
    const known = resolved.get(source);
    // Asked each time: the frame behind an endpoint may have been exchanged.
    if (known?.peer() === source) return known;
    // A stranger, or a window that took the place of one that is known.
    for (const [window, endpoint] of resolved) {
      if (endpoint.peer() === window) continue;
      resolved.delete(window);
      unresolved.add(endpoint);
    }
    for (const endpoint of unresolved) {
      if (endpoint.peer() !== source) continue;
      unresolved.delete(endpoint);
      resolved.set(source, endpoint);
      return endpoint;
    }
    return undefined;
  };
  return {
    unresolved,
    resolved,
    listener(event) {
      // Both may be null: a missing window must not match a message without a source.
      const endpoint = event.source ? findEndpoint(event.source) : undefined;
      if (endpoint) return endpoint.receive(event);
      for (const other of [...unresolved, ...resolved.values()]) {
        other.onRejected?.({ reason: 'source', origin: event.origin });
      }
    },
  };
};

/** Creates the one transport to one window of one origin; other windows on the page are never heard (B01–B03). */
export const createWindowTransport = (options: WindowTransportOptions): Transport => {
  const { listenOn, peer, origin, onRejected } = options;
  const targetOrigin = options.targetOrigin ?? (origin === 'null' ? '*' : origin);
  assertOrigins(origin, targetOrigin);
  const listeners = new Set<(data: unknown) => void>();
  let open = true;

  const registry = registries.get(listenOn) ?? createEndpointRegistry();
  registries.set(listenOn, registry);
  const endpoint: Endpoint = {
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
  registry.unresolved.add(endpoint);
  listenOn.addEventListener('message', registry.listener);

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
      registry.unresolved.delete(endpoint);
      for (const [source, known] of registry.resolved)
        if (known === endpoint) registry.resolved.delete(source);
      if (registry.unresolved.size + registry.resolved.size === 0)
        listenOn.removeEventListener('message', registry.listener);
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
