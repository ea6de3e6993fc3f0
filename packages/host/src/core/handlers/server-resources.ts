import type { RequestHandlers } from '@casement/protocol';
import { decideResourceRead } from '../policy.js';
import type { HandlerContext } from './handler-context.js';
import type { ResourceSubscriptions } from './resource-subscriptions.js';
import type { ServerRequest } from './server-request.js';

type Resources = Pick<RequestHandlers, 'resources/read' | 'resources/subscribe' | 'resources/unsubscribe'>;

/** Reads resources of the app's own server and, where its port can, follows them. */
export const createServerResources = (
  context: HandlerContext,
  subscriptions: ResourceSubscriptions,
  serverRequest: ServerRequest,
): Resources => {
  const { server } = context.options;
  const judge = (method: string, uri: string): void =>
    context.enforce(method, decideResourceRead(uri), { uri: uri.slice(0, 200) });
  return {
    'resources/read': ({ uri }, request) => {
      judge('resources/read', uri);
      return serverRequest(request.signal, 'server-unreachable', (signal) =>
        server.readResource({ uri }, { caller: 'app', signal }),
      );
    },
    ...(subscriptions.isPossible
      ? {
          'resources/subscribe': async ({ uri }, { signal }) => {
            judge('resources/subscribe', uri);
            await serverRequest(signal, 'server-unreachable', () => subscriptions.add(uri));
            return {};
          },
          'resources/unsubscribe': async ({ uri }, { signal }) => {
            await serverRequest(signal, 'server-unreachable', () => subscriptions.remove(uri));
            return {};
          },
        }
      : {}),
  };
};
