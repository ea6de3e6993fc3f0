import type { ServerSummary } from '@casement/gateway';
import type { AppResources } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import { createAppResources } from '@casement/host';
import { createGatewayPort } from '@casement/protocol/ports';
import type { Tool } from '@casement/protocol';
import type { GatewayClient, GatewayEvents } from '../connection/gateway-client.js';
import { createListeners } from '../store.js';
import { createSeenItems } from './seen-items.js';

/** A server with the means to use it and what it offers. */
export interface ListedServer {
  /** Its `name` is what the API and links call it. */
  readonly summary: ServerSummary;
  /** Its `name` is what people see. */
  readonly port: ServerPort;
  readonly resources: AppResources;
  /** What stood beside the text of a resource that was read. */
  peekItem(uri: string): unknown;
  readonly tools: readonly Tool[];
  /** How reading its tools went. */
  readonly listing: 'waiting' | 'read' | { readonly problem: string };
}

/** The gateway's servers as the page knows them. */
export interface ServerList {
  all(): readonly ListedServer[];
  find(name: string | undefined): ListedServer | undefined;
  restart(name: string): Promise<void>;
  /** Puts the servers into this order, at once here and for good in the gateway. */
  order(names: readonly string[]): Promise<void>;
  /** Has the files of a server watched, or not any more. */
  watch(name: string, isOn: boolean): Promise<void>;
  /** Resolves when a server is no longer starting, and its tools were read or could not be. */
  listed(name: string | undefined): Promise<void>;
  /** Tells the name of a server that came, went or moved, or whose summary or tools changed. */
  subscribe(listener: (name: string) => void): () => void;
}

/** The status of a server in a word or two. */
export const toStatusWords = ({ status, signIn }: ServerSummary): string => {
  if (status === 'unconfirmed') return 'waits for you';
  if (status === 'failed' && signIn?.needed) return 'wants a sign-in';
  return status === 'disabled' ? 'off' : status;
};

/** Whether nothing of a server runs: it waits for the user's yes, or was switched off. */
export const isHeld = ({ status }: ServerSummary): boolean =>
  status === 'unconfirmed' || status === 'disabled';

/** Creates the list of servers and keeps it current by the event stream. */
export const createServerList = (
  client: GatewayClient,
  events: GatewayEvents,
  known: readonly ServerSummary[],
): ServerList => {
  const servers = new Map<string, ListedServer>();
  const { subscribe, tell } = createListeners<[name: string]>();

  const openServer = (summary: ServerSummary): Pick<ListedServer, 'port' | 'resources' | 'peekItem'> => {
    const port = createGatewayPort(client.link, events, summary);
    const seen = createSeenItems(port);
    return { port, resources: createAppResources(seen.port), peekItem: seen.peek };
  };
  const add = (summary: ServerSummary): void => {
    servers.set(summary.name, { summary, ...openServer(summary), tools: [], listing: 'waiting' });
  };

  // A changed server is a new object, so that views see the change by looking at it.
  const change = (name: string, patch: Partial<ListedServer>): void => {
    const known = servers.get(name);
    if (known) servers.set(name, { ...known, ...patch });
    tell(name);
  };

  /** Servers whose tools are being read, by the number of the last reading. */
  const reading = new Map<string, number>();
  let readings = 0;

  const loadTools = async (name: string): Promise<void> => {
    const server = servers.get(name);
    if (!server || server.summary.status !== 'ready') return;
    const own = (readings += 1);
    reading.set(name, own);
    const end = (patch: Partial<ListedServer>): void => {
      if (reading.get(name) === own) reading.delete(name);
      change(name, patch);
    };
    try {
      end({ tools: await server.port.listTools(), listing: 'read' });
    } catch (error) {
      end({ listing: { problem: error instanceof Error ? error.message : String(error) } });
    }
  };

  const remove = (name: string): void => {
    servers.get(name)?.resources.close();
    if (servers.delete(name)) tell(name);
  };

  /** Takes over an order of all servers; one that it does not name is no longer there. */
  const arrange = (names: readonly string[]): void => {
    const before = [...servers.keys()];
    const named = new Set(names);
    before.filter((name) => !named.has(name)).forEach(remove);
    const ordered = [...named].flatMap((name) => {
      const server = servers.get(name);
      return server ? [[name, server] as const] : [];
    });
    const first = ordered.find(([name], index) => before[index] !== name);
    if (!first) return;
    servers.clear();
    for (const [name, server] of ordered) servers.set(name, server);
    tell(first[0]);
  };

  const update = (summary: ServerSummary): void => {
    const known = servers.get(summary.name);
    const becameReady = summary.status === 'ready' && known?.summary.status !== 'ready';
    if (!known) add(summary);
    // A port keeps name and identity for life; a server may get its own name only when it is connected, and be edited.
    const isAnother =
      known !== undefined &&
      (known.summary.label !== summary.label || known.summary.identity !== summary.identity);
    if (isAnother) known.resources.close();
    change(summary.name, {
      summary,
      ...(isAnother && openServer(summary)),
      // What it offers when it may run is not known: it may be another server by then.
      ...(isHeld(summary) && { tools: [], listing: 'waiting' as const }),
    });
    if (becameReady) void loadTools(summary.name);
  };

  events.subscribe((event) => {
    if (event.type === 'server') update(event.server);
    if (event.type === 'server-removed') remove(event.server);
    if (event.type === 'servers-ordered') arrange(event.servers);
    if (event.type === 'list-changed' && event.list === 'tools') void loadTools(event.server);
  });
  known.forEach(add);
  // Not waited for here: one server that does not answer must not keep the others from being used.
  for (const name of servers.keys()) void loadTools(name);

  const isListed = (name: string): boolean => {
    const server = servers.get(name);
    if (server?.summary.status === 'connecting') return false;
    return server?.summary.status !== 'ready' || (server.listing !== 'waiting' && !reading.has(name));
  };

  return {
    all: () => [...servers.values()],
    find: (name) => (name === undefined ? undefined : servers.get(name)),
    listed: (name) =>
      new Promise((resolve) => {
        if (name === undefined || isListed(name)) {
          resolve();
          return;
        }
        const stop = subscribe(() => {
          if (!isListed(name)) return;
          stop();
          resolve();
        });
      }),
    watch: async (name, isOn) => update((await client.watch(name, isOn)).server),
    restart: async (name) => update((await client.restart(name)).server),
    order: async (names) => {
      const before = [...servers.keys()];
      arrange(names);
      await client.orderEntries([...servers.keys()]).catch((error: unknown) => {
        arrange(before);
        throw error;
      });
    },
    subscribe,
  };
};
