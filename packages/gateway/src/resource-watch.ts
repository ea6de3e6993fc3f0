import { CasementError, isRecord } from '@casement/protocol';
import type { Client } from '@modelcontextprotocol/client';
import type { ServerConnection } from './server-connection.js';
import { requestAny, type RunRequest } from './server-requests.js';

/** One page's wish to hear of a resource; `stream` is where it listens. */
interface Wish {
  stream: string;
  uri: string;
  session?: string;
}

/** Who hears of which resource of one server. */
export interface ResourceWatch {
  subscribe(wish: Wish): Promise<void>;
  unsubscribe(wish: Wish): Promise<void>;
  /** A page is gone: what only it wanted to hear is told off. */
  endStream(stream: string): void;
  /** The connection is a new one: it is asked for everything that is wanted. */
  renew(client: Client): void;
}

/** More than any page shows; beyond it a page is refused, so that it cannot fill a server's memory. */
const MAX_PER_STREAM = 200;

/** Creates the watch of one server: each resource is asked for once, however many pages want it. */
export const createResourceWatch = ({
  connection,
  run,
  onUpdated,
}: {
  connection: ServerConnection;
  run: RunRequest;
  onUpdated(uri: string, streams: ReadonlySet<string>): void;
}): ResourceWatch => {
  // Per resource and stream how often it was asked for: one page may hold several ports to one server.
  const wanted = new Map<string, Map<string, number>>();
  const listening = new Map<string, { close(): Promise<void> }>();
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

  const ask = async (method: 'resources/subscribe' | 'resources/unsubscribe', { uri, session }: Wish) => {
    const scope = session === undefined ? {} : { session };
    if (connection.link().client.getProtocolEra() !== 'modern') {
      await run(method, scope, (client, options) => requestAny(client, method, { uri }, options));
    } else if (method === 'resources/subscribe') {
      // Revision 2026-07-28 has no such request: the wish is a stream of its own, closed to end it.
      const opened = await run('subscriptions/listen', scope, (client, options) =>
        client.listen({ resourceSubscriptions: [uri] }, options),
      );
      listening.set(uri, opened);
    } else {
      const opened = listening.get(uri);
      listening.delete(uri);
      await opened?.close();
    }
  };

  const take = (streams: Map<string, number>, stream: string): void => {
    const count = (streams.get(stream) ?? 0) - 1;
    if (count > 0) streams.set(stream, count);
    else streams.delete(stream);
  };

  const drop = async (wish: Wish): Promise<void> => {
    const streams = wanted.get(wish.uri);
    if (streams?.has(wish.stream) !== true) return;
    take(streams, wish.stream);
    if (streams.size > 0) return;
    await enqueue(wish.uri, async () => {
      if (streams.size > 0 || wanted.get(wish.uri) !== streams) return;
      wanted.delete(wish.uri);
      await ask('resources/unsubscribe', wish);
    });
  };

  return {
    async subscribe(wish) {
      const { stream, uri } = wish;
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
        await (isFirst ? enqueue(uri, () => ask('resources/subscribe', wish)) : work.get(uri));
      } catch (error) {
        take(streams, stream);
        if (streams.size === 0 && wanted.get(uri) === streams) wanted.delete(uri);
        throw error;
      }
    },
    unsubscribe: drop,
    endStream(stream) {
      // A server that cannot be told off any more needs no telling.
      for (const [uri, streams] of [...wanted]) {
        if (streams.has(stream)) streams.set(stream, 1);
        void drop({ stream, uri }).catch(() => undefined);
      }
    },
    renew(client) {
      listening.clear();
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        const uri: unknown = isRecord(params) ? params['uri'] : undefined;
        const streams = typeof uri === 'string' ? wanted.get(uri) : undefined;
        // Nobody asked, or nobody any more: not told.
        if (typeof uri === 'string' && streams !== undefined) onUpdated(uri, new Set(streams.keys()));
      });
      for (const [uri, streams] of [...wanted]) {
        const [stream] = streams.keys();
        if (stream === undefined) continue;
        void enqueue(uri, () => ask('resources/subscribe', { stream, uri })).catch(() => undefined);
      }
    },
  };
};
