import type { GatewayEvent, ServerSummary } from '@casement/gateway';
import { expect, test } from 'vitest';
import type { GatewayClient, GatewayEvents } from '../connection/gateway-client.js';
import { createListeners } from '../store.js';
import { createServerList } from './server-list.js';

const summary = (name: string, patch: Partial<ServerSummary> = {}): ServerSummary => ({
  name,
  status: 'ready',
  identity: `id-${name}`,
  kind: 'stdio',
  source: 'kept',
  ...patch,
});

/** A list over a gateway that answers with one tool and takes every order but that which begins with `refused`. */
const open = (names: readonly string[]) => {
  const { subscribe, tell } = createListeners<[event: GatewayEvent]>();
  const ordered: string[][] = [];
  const client = {
    link: {
      get: () =>
        Promise.resolve({ body: { tools: [{ name: 't', inputSchema: { type: 'object' } }] }, bytes: 0 }),
    },
    orderEntries: (wanted: string[]) => {
      ordered.push(wanted);
      return wanted[0] === 'refused' ? Promise.reject(new Error('no')) : Promise.resolve({});
    },
  } as unknown as GatewayClient; // what is left out is not used here
  // Only followed here.
  const events = { subscribe } as unknown as GatewayEvents;
  const list = createServerList(
    client,
    events,
    names.map((name) => summary(name)),
  );
  return { list, tell, ordered, shown: () => list.all().map((server) => server.summary.name) };
};

test('servers come, go and move as the gateway tells', () => {
  const { list, tell, shown } = open(['a', 'b', 'c']);
  const told: string[] = [];
  list.subscribe((name) => told.push(name));
  tell({ type: 'server', server: summary('d', { status: 'unconfirmed' }) });
  tell({ type: 'server-removed', server: 'b' });
  expect(shown()).toEqual(['a', 'c', 'd']);
  tell({ type: 'servers-ordered', servers: ['d', 'a', 'c'] });
  expect(shown()).toEqual(['d', 'a', 'c']);
  expect(told).toEqual(['d', 'b', 'd']);
  tell({ type: 'servers-ordered', servers: ['d', 'a', 'c'] });
  tell({ type: 'server-removed', server: 'b' });
  expect(told).toHaveLength(3);
});

test('what an order of all servers does not name was removed while nobody listened', () => {
  const { tell, shown } = open(['a', 'b', 'c']);
  tell({ type: 'servers-ordered', servers: ['c', 'a'] });
  expect(shown()).toEqual(['c', 'a']);
});

test('an order is shown at once, and taken back when the gateway does not take it', async () => {
  const { list, shown, ordered } = open(['a', 'refused']);
  const moved = list.order(['refused', 'a']);
  expect(shown()).toEqual(['refused', 'a']);
  await expect(moved).rejects.toThrow('no');
  expect(shown()).toEqual(['a', 'refused']);
  expect(ordered).toEqual([['refused', 'a']]);
});

test('a held server offers nothing, and an edited one is reached anew', async () => {
  const { list, tell } = open(['a']);
  await list.listed('a');
  const before = list.find('a');
  expect(before?.tools).toHaveLength(1);
  tell({ type: 'server', server: summary('a', { status: 'unconfirmed', identity: 'other' }) });
  expect(list.find('a')).toMatchObject({ tools: [], listing: 'waiting', port: { identity: 'other' } });
  expect(list.find('a')?.port).not.toBe(before?.port);
});
