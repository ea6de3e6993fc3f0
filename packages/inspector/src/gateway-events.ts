import type { GatewayEvent } from '@casement/gateway';
import { CasementError } from '@casement/protocol';
import { readEvents } from './event-stream.js';
import type { GatewayClient } from './gateway-client.js';

/** Whether the page hears the gateway. */
export type LinkState = 'connected' | 'lost' | 'unauthorized';

/** The gateway's events, one stream for the whole page. */
export interface GatewayEvents {
  /** Resolves when the stream was opened for the first time: from then on nothing the gateway records is missed. */
  readonly opened: Promise<void>;
  subscribe(listener: (event: GatewayEvent) => void): () => void;
}

const isGatewayEvent = (value: unknown): value is GatewayEvent =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Follows the event stream for the life of the page and takes it up again when it breaks. */
export const createGatewayEvents = (
  client: GatewayClient,
  onLink: (state: LinkState) => void,
): GatewayEvents => {
  const listeners = new Set<(event: GatewayEvent) => void>();
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });

  const follow = async (): Promise<void> => {
    for (let wait = 500; ; wait = Math.min(wait * 2, 8_000)) {
      try {
        const body = await client.events(new AbortController().signal);
        onLink('connected');
        open();
        wait = 500;
        for await (const event of readEvents(body))
          if (isGatewayEvent(event)) for (const listener of listeners) listener(event);
      } catch (error) {
        if (error instanceof CasementError && error.code === 'unauthorized') {
          onLink('unauthorized');
          return;
        }
      }
      onLink('lost');
      await pause(wait);
    }
  };

  void follow();
  return {
    opened,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
