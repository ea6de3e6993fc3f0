import type { GatewayEvent } from '../facts/gateway-event.js';

const MAX_QUEUED_EVENTS = 2000;
const MAX_QUEUED_CHARS = 16 * 1024 * 1024;
const HEARTBEAT_MS = 15_000;

/** Sends events to every open event stream. */
export interface EventHub {
  /** Sends an event to every stream, or only to those named. */
  publish(event: GatewayEvent, only?: ReadonlySet<string>): void;
  /** A stream of server-sent events that begins with a replay; a slow reader loses the oldest events, never the gateway its memory. */
  stream(
    replay: () => GatewayEvent[],
    name?: string,
    /** Events from before this stream was opened; sent once, after the first replay. */
    backlog?: () => GatewayEvent[],
  ): ReadableStream<Uint8Array>;
  /** Whether a stream of that name is open. */
  isOpen(name: string): boolean;
  /** Calls the listener with the name of each stream that ended. */
  onEnded(listener: (name: string) => void): void;
  readonly subscribers: number;
  close(): void;
}

interface Subscriber {
  readonly name: string | undefined;
  add(text: string): void;
  end(): void;
}

const toFrame = (event: GatewayEvent): string => `data: ${JSON.stringify(event)}\n\n`;

/** Creates the event hub of one gateway. */
export const createEventHub = ({
  heartbeatMs = HEARTBEAT_MS,
  maxEvents = MAX_QUEUED_EVENTS,
  maxChars = MAX_QUEUED_CHARS,
}: { heartbeatMs?: number; maxEvents?: number; maxChars?: number } = {}): EventHub => {
  const subscribers = new Set<Subscriber>();
  const endListeners = new Set<(name: string) => void>();
  const encoder = new TextEncoder();

  const open: EventHub['stream'] = (replay, name, backlog = () => []) => {
    let queue: string[] = [];
    let chars = 0;
    let dropped = 0;
    let wake: (() => void) | undefined;
    let ended = false;

    const add = (text: string): void => {
      queue.push(text);
      chars += text.length;
      while (queue.length > maxEvents || (chars > maxChars && queue.length > 1)) {
        chars -= queue.shift()?.length ?? 0;
        dropped += 1;
      }
      wake?.();
    };
    const take = (): string => {
      const lost: GatewayEvent[] = dropped > 0 ? [{ type: 'dropped', count: dropped }, ...replay()] : [];
      const text = [...lost.map(toFrame), ...queue].join('');
      queue = [];
      chars = 0;
      dropped = 0;
      return text;
    };
    const end = (): void => {
      ended = true;
      clearInterval(beat);
      if (subscribers.delete(subscriber) && name !== undefined)
        for (const listener of endListeners) listener(name);
      wake?.();
    };
    const subscriber: Subscriber = { name, add, end };
    const beat = setInterval(() => {
      if (queue.length === 0) add(': beat\n\n');
    }, heartbeatMs);
    beat.unref();
    subscribers.add(subscriber);
    add([...replay(), ...backlog()].map(toFrame).join('') || ': open\n\n');

    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          while (queue.length === 0 && !ended) {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
          if (queue.length > 0) controller.enqueue(encoder.encode(take()));
          else controller.close();
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    );
  };

  return {
    publish(event, only) {
      if (subscribers.size === 0) return;
      const text = toFrame(event);
      for (const subscriber of subscribers) {
        const { name } = subscriber;
        if (only === undefined || (name !== undefined && only.has(name))) subscriber.add(text);
      }
    },
    stream: open,
    isOpen: (name) => [...subscribers].some((subscriber) => subscriber.name === name),
    onEnded: (listener) => void endListeners.add(listener),
    get subscribers() {
      return subscribers.size;
    },
    close() {
      for (const subscriber of [...subscribers]) subscriber.end();
    },
  };
};
