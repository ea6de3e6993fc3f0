import type { Transport } from './transport.js';

/** Two ends joined in memory, with the manners of postMessage: copies, later, and nothing after close. */
export const createMemoryTransportPair = (): [Transport, Transport] => {
  const listeners = [new Set<(data: unknown) => void>(), new Set<(data: unknown) => void>()] as const;
  let open = true;
  const createEnd = (own: (typeof listeners)[number], other: (typeof listeners)[number]): Transport => ({
    send(message) {
      if (!open) return;
      const copy: unknown = structuredClone(message);
      queueMicrotask(() => {
        if (open) for (const listener of [...other]) listener(copy);
      });
    },
    subscribe(listener) {
      own.add(listener);
      return () => own.delete(listener);
    },
    close() {
      open = false;
    },
  });
  return [createEnd(listeners[0], listeners[1]), createEnd(listeners[1], listeners[0])];
};
