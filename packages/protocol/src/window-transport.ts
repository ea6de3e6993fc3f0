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

/** Talks to one window of one origin; other windows on the page are never heard (B01–B03). */
export const createWindowTransport = (options: WindowTransportOptions): Transport => {
  const { listenOn, peer, origin, onRejected } = options;
  const targetOrigin = options.targetOrigin ?? (origin === 'null' ? '*' : origin);
  assertOrigins(origin, targetOrigin);
  const listeners = new Set<(data: unknown) => void>();
  let open = true;

  const receive = (event: WindowMessage): void => {
    const expected = peer();
    // Both may be null: a missing window must not match a message without a source.
    if (!open || expected === null || event.source !== expected) {
      if (open) onRejected?.({ reason: 'source', origin: event.origin });
      return;
    }
    // Nobody here wants a port, and an open one keeps a channel alive past the session (B20).
    for (const port of event.ports ?? []) port.close();
    if (event.origin !== origin) {
      onRejected?.({ reason: 'origin', origin: event.origin });
      return;
    }
    for (const listener of [...listeners]) listener(event.data);
  };
  listenOn.addEventListener('message', receive);

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
      listenOn.removeEventListener('message', receive);
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
