import type { ServerSummary } from '@casement/gateway';
import type { AppResources } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import { createAppResources } from '@casement/host';
import { createGatewayPort } from '@casement/protocol/ports';
import type { Tool } from '@casement/protocol';
import type { GatewayClient, GatewayEvents } from '../connection/gateway-client.js';
import { createListeners } from '../store.js';

/** A server with the means to use it and what it offers. */
export interface ListedServer {
  /** Its `name` is what the API and links call it. */
  readonly summary: ServerSummary;
  /** Its `name` is what people see. */
  readonly port: ServerPort;
  readonly resources: AppResources;
  readonly tools: readonly Tool[];
  /** How reading its tools went. */
  readonly listing: 'waiting' | 'read' | { readonly problem: string };
}

/** The gateway's servers as the page knows them. */
export interface ServerList {
  all(): readonly ListedServer[];
  find(name: string | undefined): ListedServer | undefined;
  restart(name: string): Promise<void>;
  /** Resolves when the tools of a server that was ready at the start were read, or could not be. */
  listed(name: string | undefined): Promise<void>;
  /** Tells the name of a server whose summary or tools changed. */
  subscribe(listener: (name: string) => void): () => void;
}

/** Creates the list of servers and keeps it current by the event stream. */
export const createServerList = (
  client: GatewayClient,
  events: GatewayEvents,
  known: readonly ServerSummary[],
): ServerList => {
  const servers = new Map<string, ListedServer>();
  const { subscribe, tell } = createListeners<[name: string]>();

  const openServer = (summary: ServerSummary): Pick<ListedServer, 'port' | 'resources'> => {
    const port = createGatewayPort(client.link, events, summary);
    return { port, resources: createAppResources(port) };
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

  const loadTools = async (name: string): Promise<void> => {
    const server = servers.get(name);
    if (!server || server.summary.status !== 'ready') return;
    try {
      change(name, { tools: await server.port.listTools(), listing: 'read' });
    } catch (error) {
      change(name, { listing: { problem: error instanceof Error ? error.message : String(error) } });
    }
  };

  const update = (summary: ServerSummary): void => {
    const known = servers.get(summary.name);
    const becameReady = summary.status === 'ready' && known?.summary.status !== 'ready';
    if (!known) add(summary);
    // A port keeps its name for life, and a server may get its own only when it is connected.
    const isNamed = known !== undefined && known.summary.label !== summary.label;
    if (isNamed) known.resources.close();
    change(summary.name, { summary, ...(isNamed && openServer(summary)) });
    if (becameReady) void loadTools(summary.name);
  };

  events.subscribe((event) => {
    if (event.type === 'server') update(event.server);
    if (event.type === 'list-changed' && event.list === 'tools') void loadTools(event.server);
  });
  known.forEach(add);
  // Not waited for here: one server that does not answer must not keep the others from being used.
  const listed = new Map([...servers.keys()].map((name) => [name, loadTools(name)]));

  return {
    all: () => [...servers.values()],
    find: (name) => (name === undefined ? undefined : servers.get(name)),
    listed: async (name) => (name === undefined ? undefined : listed.get(name)),
    restart: async (name) => update((await client.restart(name)).server),
    subscribe,
  };
};
