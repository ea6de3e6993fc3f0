import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { McpServer } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { readBlocks } from './guide-blocks.test-support.js';

const folder = join(import.meta.dirname, '../../../.cache/server-readme');
const blocks = readBlocks(readFileSync(join(import.meta.dirname, '../README.md'), 'utf8'));

/** The blocks as the modules they are. */
const load = async <T>(index: number): Promise<T> => {
  const file = join(folder, `block-${index}.ts`);
  writeFileSync(file, blocks[index]?.code ?? '');
  return (await import(/* @vite-ignore */ file)) as T; // what the test asks for is used below
};

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const connect = async (server: McpServer, capabilities = {}): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  onTestFinished(() => client.close());
  return client;
};

test('the first example is a server with an app', async () => {
  const { createWeatherServer } = await load<{ createWeatherServer: () => McpServer }>(0);
  const client = await connect(createWeatherServer());
  const { tools } = await client.listTools();
  expect(tools[0]?._meta).toMatchObject({ ui: { resourceUri: 'ui://widget/show_weather.html' } });
  const { contents } = await client.readResource({ uri: 'ui://widget/show_weather.html' });
  expect(contents[0]).toMatchObject({
    mimeType: 'text/html;profile=mcp-app',
    _meta: { ui: { csp: { connectDomains: ['https://api.example.com'] }, prefersBorder: true } },
  });
  const result = await client.callTool({ name: 'show_weather', arguments: { city: 'Rome' } });
  expect(result.structuredContent).toEqual({ city: 'Rome', degrees: 21 });
});

test('the second has words for clients without apps', async () => {
  const { createForecastServer } = await load<{ createForecastServer: () => McpServer }>(1);
  const ui = { mimeTypes: ['text/html;profile=mcp-app'] };
  const rich = await connect(createForecastServer(), { extensions: { 'io.modelcontextprotocol/ui': ui } });
  const poor = await connect(createForecastServer());
  const call = { name: 'show_forecast' };
  expect((await rich.callTool(call)).content).toMatchObject([{ text: 'The forecast is on screen.' }]);
  expect((await poor.callTool(call)).content).toMatchObject([{ text: expect.stringContaining('Tue 19') }]);
});

verifies(
  ['S3-38', 'S3-39'],
  'the third is an HTTP server whose widgets call tools as every other client does, with the rights of their session',
  async () => {
    vi.spyOn(console, 'warn').mockReturnValue(); // the example's logger
    onTestFinished(() => void vi.restoreAllMocks());
    const { server } = await load<{ server: Server }>(2);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo; // it listens on a port
    const post = (body: unknown, token = 'token-of-ann') =>
      fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    const ask = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
    expect((await post(ask('ping'), 'forged')).status).toBe(401);
    for (const method of ['tools/call', 'ui/callServerTool']) {
      expect(await (await post(ask(method, { name: 'greet' }))).json()).toMatchObject({
        id: 1,
        result: { content: [{ type: 'text', text: 'Hello ann' }] },
      });
    }
    expect(await (await post(ask('tools/call', { name: 'none' }))).json()).toMatchObject({
      error: { code: -32001 },
    });
    expect(await (await post(ask('ui/openLink', { url: 'https://a.example' }))).json()).toMatchObject({
      error: { code: -32003 },
    });
    expect(await (await post('{')).json()).toMatchObject({ id: null, error: { code: -32700 } });
    expect((await post({ jsonrpc: '2.0', method: 'ui/notifications/initialized' })).status).toBe(202);
  },
  60_000,
);
