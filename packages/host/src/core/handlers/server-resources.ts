import { refuse } from '../loaded/loaded.js';
import { decideResourceRead } from '../policy/policy.js';
import type { RequestHandlers } from '@casement/protocol';
import type { SessionLimits } from '../limits.js';
import type { HandlerContext } from './handler-context.js';
import type { ServerAccess } from '../server/server-access.js';

type Resources = Pick<RequestHandlers, 'resources/read' | 'resources/subscribe' | 'resources/unsubscribe'>;

/** Reads resources of the app's own server and, where its port can, follows them. */
export const createServerResources = (
  context: HandlerContext,
  subscriptions: ResourceSubscriptions,
  serverAccess: ServerAccess,
): Resources => {
  const { server } = context.options;
  const judge = (method: string, uri: string): void =>
    context.enforce(method, decideResourceRead(uri), { uri: uri.slice(0, 200) });
  return {
    'resources/read': ({ uri }, request) => {
      judge('resources/read', uri);
      return serverAccess(request.signal, 'server-unreachable', (signal) =>
        server.readResource({ uri }, { caller: 'app', signal }),
      );
    },
    ...(subscriptions.isPossible
      ? {
          'resources/subscribe': async ({ uri }, { signal }) => {
            judge('resources/subscribe', uri);
            await serverAccess(signal, 'server-unreachable', () => subscriptions.add(uri));
            return {};
          },
          'resources/unsubscribe': async ({ uri }, { signal }) => {
            await serverAccess(signal, 'server-unreachable', () => subscriptions.remove(uri));
            return {};
          },
        }
      : {}),
  };
};

/** The resources of its server that one app has subscribed to. */
export interface ResourceSubscriptions {
  /** Whether the server's port can follow resources at all. */
  readonly isPossible: boolean;
  has(uri: string): boolean;
  /** Subscribes once, however often it is asked. */
  add(uri: string): Promise<void>;
  remove(uri: string): Promise<void>;
  /** The document is gone: the server need not tell it anything any more. */
  clear(): void;
}

/** Tracks the subscriptions of one app; the server hears one for each resource. */
export const createResourceSubscriptions = (
  context: HandlerContext,
  { maxSubscriptions }: SessionLimits,
): ResourceSubscriptions => {
  const { server } = context.options;
  // One wish per URI, under way or done: port and server hear one subscription of this session (they count).
  const followed = new Map<string, Promise<void>>();

  const leave = async (uri: string): Promise<void> => {
    const joined = followed.get(uri);
    if (!joined) return;
    followed.delete(uri);
    // What never came about need not be ended.
    const isThere = await joined.then(
      () => true,
      () => false,
    );
    if (isThere) await server.unsubscribeResource?.({ uri });
  };

  return {
    isPossible: server.subscribeResource !== undefined && server.unsubscribeResource !== undefined,
    has: (uri) => followed.has(uri),
    async add(uri) {
      if (!followed.has(uri) && followed.size >= maxSubscriptions) {
        context.enforce(
          'resources/subscribe',
          refuse(
            'resource-refused',
            `The app follows ${followed.size} resources already.`,
            'Unsubscribe from resources you no longer show.',
          ),
        );
      }
      const joined = followed.get(uri) ?? Promise.resolve(server.subscribeResource?.({ uri }));
      followed.set(uri, joined);
      try {
        await joined;
      } catch (error) {
        if (followed.get(uri) === joined) followed.delete(uri);
        throw error;
      }
    },
    remove: leave,
    clear() {
      for (const uri of [...followed.keys()]) {
        leave(uri).catch((error: unknown) =>
          context.recorder.note('error', { message: `Unsubscribing failed: ${String(error)}` }),
        );
      }
    },
  };
};
