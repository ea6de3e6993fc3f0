import { CasementError, isRecord } from '@casement/protocol/start';
import type { Client, RequestOptions } from '@modelcontextprotocol/client';
import type { ServerConnection } from '../connection/server-connection.js';
import type { RequestSettings, ServerRequests } from '../connection/server-requests.js';

/** A page's subscription to a resource; `stream` is the event stream it listens on. */
interface Subscription {
  stream: string;
  uri: string;
  session?: string;
}

/** The subscriptions of pages to the resources of one server. */
export interface ResourceWatch {
  subscribe(subscription: Subscription): Promise<void>;
  unsubscribe(subscription: Subscription): Promise<void>;
  /** Ends the subscriptions of a page that is gone. */
  endStream(stream: string): void;
  /** Subscribes to everything again on a new connection. */
  renew(client: Client): void;
}

/** More than any page shows; beyond it a page is refused, so that it cannot fill a server's memory. */
const MAX_PER_STREAM = 200;

/**
 * Creates the subscriptions to one server's resources: the server is asked once per resource, however many pages want it.
 * The ports count subscriptions for one page alone; here each belongs to a page's event stream, ends with it, is limited
 * per stream, and is renewed after a restart.
 */
export const createResourceWatch = ({
  connection,
  requests,
  onUpdated,
}: {
  connection: ServerConnection;
  requests: ServerRequests;
  onUpdated(uri: string, streams: ReadonlySet<string>): void;
}): ResourceWatch => {
  // Per resource and stream how often it was asked for: one page may hold several ports to one server.
  const wanted = new Map<string, Map<string, number>>();
  // The functions that end what the server was asked for.
  const following = new Map<string, (options: RequestOptions) => Promise<void>>();
  // One request at a time per resource: an end must not overtake the beginning it belongs to.
  const work = new Map<string, Promise<void>>();

  const enqueue = (uri: string, task: () => Promise<void>): Promise<void> => {
    const before = work.get(uri) ?? Promise.resolve();
    const next = before.catch(() => undefined).then(task);
    work.set(uri, next);
    const forget = (): void => {
      if (work.get(uri) === next) work.delete(uri);
    };
    next.then(forget, forget);
    return next;
  };

  // Nobody reads what is answered, so an answer of any size may stay out of the client's sight.
  const toScope = (session: string | undefined): RequestSettings => ({
    takesHeld: true,
    ...(session !== undefined && { session }),
  });

  const open = async ({ uri, session }: Subscription): Promise<void> => {
    const end = await requests.run('resources/subscribe', toScope(session), (server, options) =>
      server.followResource(uri, options),
    );
    following.set(uri, end);
  };

  const close = async ({ uri, session }: Subscription): Promise<void> => {
    const end = following.get(uri);
    following.delete(uri);
    if (end)
      await requests.run('resources/unsubscribe', toScope(session), (_server, options) => end(options));
  };

  const removeOne = (streams: Map<string, number>, stream: string): void => {
    const count = (streams.get(stream) ?? 0) - 1;
    if (count > 0) streams.set(stream, count);
    else streams.delete(stream);
  };

  const remove = async (subscription: Subscription): Promise<void> => {
    const streams = wanted.get(subscription.uri);
    if (streams?.has(subscription.stream) !== true) return;
    removeOne(streams, subscription.stream);
    if (streams.size > 0) return;
    await enqueue(subscription.uri, async () => {
      if (streams.size > 0 || wanted.get(subscription.uri) !== streams) return;
      wanted.delete(subscription.uri);
      await close(subscription);
    });
  };

  return {
    async subscribe(subscription) {
      const { stream, uri } = subscription;
      const offered = connection.link().client.getServerCapabilities()?.resources?.subscribe;
      if (offered !== true) {
        throw new CasementError('method-not-found', `The server "${connection.name}" has no subscriptions.`, {
          wire: { code: -32601, message: 'Method not found: resources/subscribe' },
        });
      }
      const held = [...wanted.values()].filter((streams) => streams.has(stream)).length;
      if (held >= MAX_PER_STREAM) {
        throw new CasementError('rate-limited', `A page may subscribe to ${MAX_PER_STREAM} resources.`, {
          hint: 'End subscriptions that are not needed any more.',
        });
      }
      const streams = wanted.get(uri) ?? new Map<string, number>();
      const isFirst = streams.size === 0;
      wanted.set(uri, streams.set(stream, (streams.get(stream) ?? 0) + 1));
      try {
        await (isFirst ? enqueue(uri, () => open(subscription)) : work.get(uri));
      } catch (error) {
        removeOne(streams, stream);
        if (streams.size === 0 && wanted.get(uri) === streams) wanted.delete(uri);
        throw error;
      }
    },
    unsubscribe: remove,
    endStream(stream) {
      // A server that is gone has no subscriptions.
      for (const [uri, streams] of [...wanted]) {
        if (streams.has(stream)) streams.set(stream, 1);
        void remove({ stream, uri }).catch(() => undefined);
      }
    },
    renew(client) {
      following.clear();
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        const uri: unknown = isRecord(params) ? params['uri'] : undefined;
        const streams = typeof uri === 'string' ? wanted.get(uri) : undefined;
        // Nobody is subscribed to it, or nobody any more.
        if (typeof uri === 'string' && streams !== undefined) onUpdated(uri, new Set(streams.keys()));
      });
      for (const [uri, streams] of [...wanted]) {
        const [stream] = streams.keys();
        if (stream === undefined) continue;
        void enqueue(uri, () => open({ stream, uri })).catch(() => undefined);
      }
    },
  };
};
