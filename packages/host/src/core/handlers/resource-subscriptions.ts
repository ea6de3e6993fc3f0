import { refuse } from '../decision.js';
import type { RequestLimits } from '../request-limits.js';
import type { HandlerContext } from './handler-context.js';

/** The resources of its server one app follows. */
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

/** No subscriptions yet. */
export const createResourceSubscriptions = (
  context: HandlerContext,
  { maxSubscriptions }: RequestLimits,
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
