import type { ServerEvent, ServerPort } from '@casement/protocol/ports';
import { expect, test, vi } from 'vitest';
import type { ListedServer } from './server-list.js';
import { createStore } from '../store.js';
import { createListedPorts } from './listed-ports.js';

const tool = { name: 'show', inputSchema: { type: 'object' as const } };

/** A server the page knows; its port is never asked for tools. */
const createServer = (name: string) => {
  const listeners = new Set<(event: ServerEvent) => void>();
  const listTools = vi.fn();
  const port = {
    name,
    identity: `id-${name}`,
    listTools,
    subscribe: (listener: (event: ServerEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as ServerPort; // what is left out is not used here
  const toListed = (patch: { status: string; tools?: readonly unknown[]; listing?: unknown }): ListedServer =>
    ({
      port,
      summary: { name, identity: port.identity, status: patch.status },
      tools: patch.tools ?? [],
      listing: patch.listing ?? 'waiting',
    }) as unknown as ListedServer; // as above
  return { listTools, listeners, toListed, tell: (event: ServerEvent) => listeners.forEach((l) => l(event)) };
};

const open = (first: (server: ReturnType<typeof createServer>) => ListedServer) => {
  const server = createServer('shop');
  const servers = createStore<{ servers: readonly ListedServer[] }>({ servers: [first(server)] });
  const ports = createListedPorts(servers);
  const [port] = ports.getSnapshot();
  if (!port) throw new Error('There is no port.');
  return { server, servers, ports, port, show: (next: ListedServer) => servers.set({ servers: [next] }) };
};

test('gives the tools the page has read, without asking the server again', async () => {
  const { server, port } = open(({ toListed }) =>
    toListed({ status: 'ready', tools: [tool], listing: 'read' }),
  );
  await expect(port.listTools()).resolves.toEqual([tool]);
  expect(server.listTools).not.toHaveBeenCalled();
});

test('waits for a server that is starting, and for its tools', async () => {
  const { server, port, show } = open(({ toListed }) => toListed({ status: 'connecting' }));
  const asked = port.listTools();
  show(server.toListed({ status: 'ready' }));
  show(server.toListed({ status: 'ready', tools: [tool], listing: 'read' }));
  await expect(asked).resolves.toEqual([tool]);
});

test('says why there are none', async () => {
  const { server, port, show } = open(({ toListed }) => toListed({ status: 'failed' }));
  await expect(port.listTools()).rejects.toMatchObject({ code: 'server-not-ready' });
  show(server.toListed({ status: 'ready', listing: { problem: 'no list' } }));
  await expect(port.listTools()).rejects.toThrow('no list');
});

test('tells of tools once the page has them, and hears of nothing after the end', () => {
  const { server, port, show } = open(({ toListed }) =>
    toListed({ status: 'ready', tools: [tool], listing: 'read' }),
  );
  const told: string[] = [];
  const end = port.subscribe(({ type }) => told.push(type));
  server.tell({ type: 'tools-changed' });
  expect(told).toEqual([]);
  const changed = server.toListed({ status: 'ready', tools: [tool, tool], listing: 'read' });
  show(changed);
  show({ ...changed });
  server.tell({ type: 'lost', reason: 'gone' });
  expect(told).toEqual(['tools-changed', 'lost']);
  end();
  show(server.toListed({ status: 'exited' }));
  expect(told).toHaveLength(2);
  expect(server.listeners.size).toBe(0);
});

test('stays the same list as long as the servers are the same', () => {
  const { server, servers, ports, show } = open(({ toListed }) => toListed({ status: 'ready' }));
  const before = ports.getSnapshot();
  const listener = vi.fn();
  ports.subscribe(listener);
  show(server.toListed({ status: 'exited' }));
  expect(ports.getSnapshot()).toBe(before);
  servers.set({
    servers: [...servers.getSnapshot().servers, createServer('other').toListed({ status: 'ready' })],
  });
  expect(listener).toHaveBeenCalledTimes(1);
  expect(ports.getSnapshot()[0]).toBe(before[0]);
  expect(ports.getSnapshot().map(({ name }) => name)).toEqual(['shop', 'other']);
});
