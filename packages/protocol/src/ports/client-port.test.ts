import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CallProgress, ServerEvent } from './server-port.js';
import { createClientPort, type PortFinding } from './index.js';

const fixture = join(import.meta.dirname, '../../../gateway/test-fixtures/fixture-server.mjs');

const connect = async (flags: string[] = []): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [fixture, ...flags] }));
  onTestFinished(() => client.close());
  return client;
};

const open = async (flags: string[] = []) => {
  const client = await connect(flags);
  const findings: PortFinding[] = [];
  const port = createClientPort({
    client,
    name: 'fixture',
    onFinding: (finding) => findings.push(finding),
  });
  const events: ServerEvent[] = [];
  const stop = port.subscribe((event) => events.push(event));
  return { client, port, findings, events, stop };
};

const textOf = (result: { content: { type: string; text?: string }[] }): unknown =>
  JSON.parse(result.content[0]?.text ?? 'null');

const user = { caller: 'user' } as const;
const uri = 'ui://fixture/app';

describe.each([
  ['2025-11-25', []],
  ['2026-07-28', ['--modern']],
])('a port over the official client and a server of %s', (version, flags) => {
  test('lists, reads and calls', async () => {
    const { client, port } = await open(flags);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect((await port.listTools()).map(({ name }) => name)).toContain('echo');
    expect(textOf(await port.callTool({ name: 'echo', arguments: { a: 1 } }, user))).toEqual({ a: 1 });
    expect(await port.readResource({ uri }, user)).toMatchObject({
      contents: [{ uri, mimeType: 'text/html;profile=mcp-app' }],
    });
    expect(await port.listResources()).toMatchObject([{ uri }]);
    expect(await port.listResourceTemplates?.()).toMatchObject([{ uriTemplate: 'ui://fixture/{x}' }]);
    expect(await port.listPrompts?.()).toMatchObject([{ name: 'hello' }]);
  });

  test('tells of changed lists, of updated resources and of the end', async () => {
    const { client, port, events } = await open(flags);
    await port.subscribeResource?.({ uri });
    await port.callTool({ name: 'touch', arguments: { uri } }, user);
    await port.callTool({ name: 'flip' }, user);
    await expect.poll(() => events).toEqual([{ type: 'resource-updated', uri }, { type: 'tools-changed' }]);
    await client.close();
    await expect.poll(() => events.at(-1)).toMatchObject({ type: 'lost' });
    await expect(port.callTool({ name: 'echo' }, user)).rejects.toMatchObject({ code: 'server-unreachable' });
  });

  test('asks for a resource once, however many want it', async () => {
    const { port } = await open(flags);
    const watched = async (): Promise<unknown> =>
      textOf(await port.callTool({ name: 'touch', arguments: { uri: 'ui://x' } }, user));
    await Promise.all([port.subscribeResource?.({ uri }), port.subscribeResource?.({ uri })]);
    await port.unsubscribeResource?.({ uri });
    expect(await watched()).toEqual([uri]);
    await port.unsubscribeResource?.({ uri });
    await port.unsubscribeResource?.({ uri });
    await expect.poll(() => watched()).toEqual([]);
  });

  test('keeps the number and words of a server that refuses', async () => {
    const { port } = await open(flags);
    await expect(port.callTool({ name: 'refuse' }, user)).rejects.toMatchObject({
      code: 'tool-failed',
      wire: { code: -32602, message: 'city is required' },
    });
    await expect(port.readResource({ uri: 'ui://none' }, user)).rejects.toMatchObject({
      code: 'resource-missing',
      wire: { code: -32002, message: 'Resource not found' },
    });
  });

  test('cancels at the server, with the reason', async () => {
    const { port } = await open(flags);
    const controller = new AbortController();
    const hanging = port.callTool({ name: 'hang' }, { ...user, signal: controller.signal });
    const seen = async (): Promise<unknown> => textOf(await port.callTool({ name: 'seen' }, user));
    await expect.poll(() => seen()).toMatchObject({ calls: expect.arrayContaining(['hang']) });
    controller.abort('changed my mind');
    await expect(hanging).rejects.toMatchObject({ code: 'cancelled' });
    expect(await seen()).toMatchObject({
      cancelled: [{ reason: expect.stringContaining('changed my mind') }],
    });
  });
});

test('every page of a list is read, and bad entries are left out and reported', async () => {
  const pages = await open(['--pages=7']);
  expect(await pages.port.listTools()).toHaveLength(7);
  const bad = await open();
  expect((await bad.port.listTools()).every(({ name }) => typeof name === 'string')).toBe(true);
  expect(bad.findings).toMatchObject([
    { code: 'list-item-invalid', message: expect.stringContaining('tools/list') },
  ]);
});

test.each([
  ['endless', 100, 'list-page-cap'],
  ['repeat', 2, 'list-repeated-cursor'],
  ['huge', 5000, 'list-item-cap'],
])('a list with %s pages ends', async (pages, length, code) => {
  const { port, findings } = await open([`--pages=${pages}`]);
  expect(await port.listTools()).toHaveLength(length);
  expect(findings).toMatchObject([{ code }]);
});

test('answers of a wrong shape are the server’s fault, by name', async () => {
  const { port } = await open();
  await expect(port.callTool({ name: 'wrong_shape' }, user)).rejects.toMatchObject({
    code: 'server-garbage',
  });
  await expect(port.readResource({ uri: 'ui://fixture/wrong' }, user)).rejects.toMatchObject({
    code: 'server-garbage',
  });
});

test('a server without subscriptions offers none', async () => {
  const { port } = await open(['--no-list-changed']);
  expect(port.subscribeResource).toBeUndefined();
  expect(port.unsubscribeResource).toBeUndefined();
});

test('a server that dies is lost', async () => {
  const { port, events } = await open();
  await expect(port.callTool({ name: 'crash' }, user)).rejects.toMatchObject({ code: 'server-unreachable' });
  await expect.poll(() => events).toMatchObject([{ type: 'lost' }]);
});

describe('beside the embedder', () => {
  const createPair = async () => {
    const server = new McpServer({ name: 'official', version: '1' }, { capabilities: { tools: {} } });
    server.registerTool('count', {}, async (extra) => {
      const token = extra.mcpReq._meta?.progressToken;
      for (const progress of token === undefined ? [] : [1, 2])
        await extra.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: token ?? 0, progress, total: 2 },
        });
      await new Promise((resolve) => setImmediate(resolve));
      return { content: [{ type: 'text', text: '"counted"' }] };
    });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1' });
    await Promise.all([server.connect(far), client.connect(near)]);
    onTestFinished(() => client.close());
    return { server, client };
  };

  test('progress is passed on', async () => {
    const { client } = await createPair();
    const port = createClientPort({ client, name: 'official' });
    const told: CallProgress[] = [];
    const options = { ...user, onProgress: (progress: CallProgress) => told.push(progress) };
    expect(textOf(await port.callTool({ name: 'count' }, options))).toBe('counted');
    expect(told).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ]);
  });

  test('its notification handlers keep working, and two ports hear each once', async () => {
    const { server, client } = await createPair();
    const own = vi.fn();
    client.setNotificationHandler('notifications/tools/list_changed', own);
    const heard = [vi.fn(), vi.fn()];
    const stops = heard.map((listener) => createClientPort({ client, name: 'x' }).subscribe(listener));
    // However many ports come and go, the transport gets one ear.
    const { onmessage } = client.transport ?? {};
    createClientPort({ client, name: 'x' });
    expect(client.transport?.onmessage).toBe(onmessage);
    server.sendToolListChanged();
    await expect.poll(() => own).toHaveBeenCalledTimes(1);
    for (const listener of heard) expect(listener.mock.calls).toEqual([[{ type: 'tools-changed' }]]);
    stops[0]?.();
    server.sendToolListChanged();
    await expect.poll(() => own).toHaveBeenCalledTimes(2);
    expect(heard.map(({ mock }) => mock.calls.length)).toEqual([1, 2]);
  });

  test('a client that is not connected is refused with what to do', () => {
    const client = new Client({ name: 'test', version: '1' });
    expect(() => createClientPort({ client, name: 'x' })).toThrow(/not connected/);
  });
});
