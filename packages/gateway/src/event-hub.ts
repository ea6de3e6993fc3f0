import type { GatewayEvent } from './gateway-event.js';

const MAX_QUEUED_EVENTS = 2000;
const MAX_QUEUED_CHARS = 16 * 1024 * 1024;
const HEARTBEAT_MS = 15_000;

/** Spreads events to every open stream. */
export interface EventHub {
  publish(event: GatewayEvent): void;
  /** A stream of server-sent events that begins with a replay; a slow reader loses the oldest events, never the gateway its memory. */
  stream(replay: () => GatewayEvent[]): ReadableStream<Uint8Array>;
  readonly subscribers: number;
  close(): void;
}

interface Subscriber {
  add(text: string): void;
  end(): void;
}

const toFrame = (event: GatewayEvent): string => `data: ${JSON.stringify(event)}\n\n`;

/** Creates the hub of one gateway. */
export const createEventHub = ({
  heartbeatMs = HEARTBEAT_MS,
  maxEvents = MAX_QUEUED_EVENTS,
  maxChars = MAX_QUEUED_CHARS,
}: { heartbeatMs?: number; maxEvents?: number; maxChars?: number } = {}): EventHub => {
  const subscribers = new Set<Subscriber>();
  const encoder = new TextEncoder();

  const open = (replay: () => GatewayEvent[]): ReadableStream<Uint8Array> => {
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
      subscribers.delete(subscriber);
      wake?.();
    };
    const subscriber: Subscriber = { add, end };
    const beat = setInterval(() => {
      if (queue.length === 0) add(': beat\n\n');
    }, heartbeatMs);
    beat.unref();
    subscribers.add(subscriber);
    add(replay().map(toFrame).join('') || ': open\n\n');

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
    publish(event) {
      if (subscribers.size === 0) return;
      const text = toFrame(event);
      for (const subscriber of subscribers) subscriber.add(text);
    },
    stream: open,
    get subscribers() {
      return subscribers.size;
    },
    close() {
      for (const subscriber of [...subscribers]) subscriber.end();
    },
  };
};
