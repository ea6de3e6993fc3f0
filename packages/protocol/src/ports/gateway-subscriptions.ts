import { CasementError } from '../errors.js';
import type { GatewayEvents } from './gateway-events.js';
import type { GatewayRequests } from './gateway-requests.js';
import { createResourceSubscriptions } from './resource-subscriptions.js';
import type { ResourceSubscriptions } from './resource-subscriptions.js';

const openMs = 10_000;

/**
 * Creates the subscriptions to resources behind a gateway. A subscription belongs to an event stream and ends with it,
 * so all are requested again on each new stream. A stream is kept open as long as there is a subscription.
 */
export const createGatewaySubscriptions = (
  link: GatewayRequests,
  events: GatewayEvents,
  base: string,
): ResourceSubscriptions => {
  let release: (() => void) | undefined;
  const post = async (action: 'subscribe' | 'unsubscribe', stream: string, uri: string): Promise<void> => {
    await link.post(`${base}/resources/${action}`, { uri, stream, caller: 'app' });
  };
  const held = new Set<string>();
  let opening = 0;
  const hold = async (): Promise<string> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const opened = new Promise<string>((resolve, reject) => {
      const fail = (): void => reject(new CasementError('server-unreachable', 'The gateway is not heard.'));
      timer = setTimeout(fail, openMs);
      const before = release;
      release = events.subscribe(() => undefined, {
        onOpened: (stream) => {
          resolve(stream);
          // The one being added waits for the stream itself and is not asked for twice.
          for (const uri of held) void post('subscribe', stream, uri).catch(() => undefined);
        },
      });
      // After the new one, so that the stream is not closed in between.
      before?.();
    });
    return opened.finally(() => clearTimeout(timer));
  };
  const letGo = (): void => {
    if (held.size + opening > 0) return;
    release?.();
    release = undefined;
  };

  return createResourceSubscriptions({
    async open(uri) {
      opening += 1;
      try {
        await post('subscribe', (release && events.stream()) ?? (await hold()), uri);
        held.add(uri);
      } finally {
        opening -= 1;
        letGo();
      }
    },
    async close(uri) {
      held.delete(uri);
      const stream = events.stream();
      try {
        if (stream !== undefined) await post('unsubscribe', stream, uri);
      } finally {
        letGo();
      }
    },
  });
};
