import { CasementError } from '../errors.js';
import { isRecord } from '../is-record.js';
import { readEvents } from './event-stream.js';
import type { GatewayRequests } from './gateway-requests.js';

/** Whether the gateway is heard. */
export type StreamState = 'connected' | 'lost' | 'unauthorized';

/** What a subscriber may want to know of the stream itself. */
interface StreamHooks {
  /** A stream is open, the first or a new one; what was asked for on the one before is forgotten there. */
  onOpened?(stream: string): void;
  /** The stream broke and could not be opened again. */
  onUnreachable?(): void;
}

/** The gateway's events: one stream, open while somebody listens. */
export interface GatewayEvents<E = unknown> {
  /** Resolves when the stream was opened for the first time: from then on nothing the gateway records is missed. */
  readonly opened: Promise<void>;
  /** The name of the open stream, if one is open. */
  stream(): string | undefined;
  subscribe(listener: (event: E) => void, hooks?: StreamHooks): () => void;
}

const isEvent = (value: unknown): boolean => isRecord(value) && typeof value['type'] === 'string';

/** Follows the event stream and takes it up again when it breaks. */
export const createGatewayEvents = <E = unknown>(
  link: Pick<GatewayRequests, 'events'>,
  onLink: (state: StreamState) => void = () => undefined,
): GatewayEvents<E> => {
  const subscribers = new Map<(event: E) => void, StreamHooks>();
  let following: AbortController | undefined;
  let stream: string | undefined;
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });

  const read = async (signal: AbortSignal): Promise<void> => {
    const id = crypto.randomUUID();
    const body = await link.events(id, signal);
    stream = id;
    onLink('connected');
    open();
    for (const { onOpened } of subscribers.values()) onOpened?.(id);
    for await (const event of readEvents(body)) {
      if (signal.aborted) return;
      // Whoever names E knows what this gateway sends; that it is an event at all was checked.
      if (isEvent(event)) for (const listener of [...subscribers.keys()]) listener(event as E);
    }
  };

  const follow = async (signal: AbortSignal): Promise<void> => {
    for (let wait = 500; !signal.aborted; wait = Math.min(wait * 2, 8_000)) {
      const wasOpen = stream;
      try {
        await read(signal);
      } catch (error) {
        if (signal.aborted) return;
        const unauthorized = error instanceof CasementError && error.code === 'unauthorized';
        if (stream === wasOpen) for (const { onUnreachable } of [...subscribers.values()]) onUnreachable?.();
        if (unauthorized) {
          // Asking again would not help; whoever subscribes later tries anew.
          following = undefined;
          onLink('unauthorized');
          return;
        }
      }
      if (signal.aborted) return;
      if (stream !== wasOpen) wait = 500;
      stream = undefined;
      onLink('lost');
      await pause(wait, signal);
    }
  };

  return {
    opened,
    stream: () => stream,
    subscribe(listener, hooks = {}) {
      // Each subscription is its own, even of one listener.
      const own = (event: E): void => listener(event);
      subscribers.set(own, hooks);
      if (following === undefined) {
        following = new AbortController();
        void follow(following.signal);
      } else if (stream !== undefined) hooks.onOpened?.(stream);
      return () => {
        if (!subscribers.delete(own) || subscribers.size > 0) return;
        following?.abort();
        following = undefined;
        stream = undefined;
      };
    },
  };
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
