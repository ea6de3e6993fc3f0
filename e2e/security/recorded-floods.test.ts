import { describe, expect, test } from 'vitest';
import {
  api,
  callTool,
  openEvents,
  readText,
  start,
  waitFor,
} from '../../packages/gateway/src/gateway.test-support.js';
import { flood, floodServer } from './flood-server.js';

describe('sec-B7 a server that floods', () => {
  test.each([
    ['noise', 'lines that are no JSON'],
    ['broken-json', 'lines that are no JSON'],
    ['malformed', 'values that are no JSON-RPC'],
    ['stray', 'answers to no open request'],
    ['request', 'requests of the server'],
    ['log', 'notifications/message'],
    ['list-changed', 'notifications/tools/list_changed'],
    ['progress', 'notifications/progress'],
    ['bare-change', 'notifications/tools/list_changed'],
    ['bare-progress', 'notifications/progress'],
    ['other', 'other notifications'],
  ])(
    'with %s has every message recorded or counted, and a finding',
    async (kind, what) => {
      const gateway = await start({ servers: [floodServer('a')] });
      const { events } = await openEvents(gateway);
      const count = 12_000;
      await callTool(gateway, 'a', 'flood', flood(kind, { count }));
      const entries = () => events.flatMap((event) => (event.type === 'recording' ? [event.entry] : []));
      const leftOut = () =>
        entries().flatMap(({ kind: entryKind, raw }) => {
          const {
            reason,
            what: said,
            count: number,
          } = raw as { reason?: string; what?: string; count?: number };
          return entryKind === 'dropped' && reason === 'server-flood' && said === what ? [number ?? 0] : [];
        });
      const recorded = () => entries().filter((entry) => isOfKind(kind, entry)).length;
      const counted = () => leftOut().reduce((sum, number) => sum + number, 0);
      await waitFor(() => recorded() + counted() >= count);
      expect(recorded() + counted()).toBe(count);
      expect(counted()).toBeGreaterThan(count / 2);
      expect(events.filter(({ type }) => type === 'dropped')).toEqual([]);
      const findings = entries().filter(({ kind: entryKind }) => entryKind === 'finding');
      // Beside it one of each kind of fault at most, however many lines have it.
      const raws = findings.map(({ raw }) => raw);
      expect(raws).toContainEqual({ code: 'server-flood', message: expect.stringContaining(what) });
      expect(raws.length).toBeLessThanOrEqual(2);
    },
    30_000,
  );

  test('leaves a server in peace that writes thousands of lines at its start', async () => {
    const gateway = await start({ servers: [floodServer('a')] });
    const { events, until } = await openEvents(gateway);
    await callTool(gateway, 'a', 'flood', flood('log', { count: 2000 }));
    await until((event) => event.type === 'recording' && JSON.stringify(event).includes('line 2000 of'));
    expect(events.filter((event) => event.type === 'recording' && event.entry.kind === 'dropped')).toEqual(
      [],
    );
  }, 20_000);

  test('has its last word on progress told before the answer', async () => {
    const gateway = await start({ servers: [floodServer('a')] });
    const { events, until } = await openEvents(gateway);
    await callTool(gateway, 'a', 'flood', flood('progress', { count: 9000 }));
    await until((event) => event.type === 'progress' && event.progress === 9000);
    const told = events.flatMap((event) => (event.type === 'progress' ? [event.progress] : []));
    expect(told).toEqual([...told].sort((a, b) => a - b));
  }, 20_000);

  test('is disconnected by name when it does not stop, and can be restarted', async () => {
    const gateway = await start({ servers: [floodServer('a')], maxFloodSeconds: 2 });
    const { body } = await callTool(gateway, 'a', 'flood', flood('noise', { seconds: 60 }));
    expect(body.error).toMatchObject({
      code: 'server-flooding',
      message: expect.stringContaining('disconnected'),
      hint: expect.stringContaining('restart'),
    });
    await expect
      .poll(() => gateway.servers()[0], { timeout: 10_000 })
      .toMatchObject({ status: 'failed', error: { code: 'server-flooding' } });
    expect((await api(gateway, '/servers/a/restart', {})).body).toMatchObject({
      server: { status: 'ready' },
    });
    expect(readText(await callTool(gateway, 'a', 'echo', { arguments: { again: 1 } }))).toEqual({ again: 1 });
  }, 60_000);
});

const isOfKind = (kind: string, entry: { kind: string; dir: string; raw: unknown }): boolean => {
  if (entry.dir !== 'in') return false;
  const { method, id, reason } = entry.raw as { method?: string; id?: unknown; reason?: string };
  switch (kind) {
    case 'noise':
    case 'broken-json':
      return reason === 'non-protocol output';
    case 'malformed':
    case 'bare-change':
    case 'bare-progress':
      return reason === 'not JSON-RPC';
    case 'stray':
      return entry.kind === 'response' && String(id).startsWith('nobody');
    case 'request':
      return entry.kind === 'request';
    case 'log':
      return method === 'notifications/message';
    case 'list-changed':
      return method === 'notifications/tools/list_changed';
    case 'progress':
      return method === 'notifications/progress';
    default:
      return method === 'notifications/of-my-own';
  }
};
