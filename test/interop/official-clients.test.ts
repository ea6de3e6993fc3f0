import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerEvent } from '@casement/protocol/ports';
import { createClientPort, type OfficialClient } from '@casement/protocol/ports';
import { toWireError } from '@casement/protocol';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../e2e/support/eventually.js';
import { startLazyAuth, type LazyAuth } from '../../e2e/support/lazy-auth.js';

const fixture = join(import.meta.dirname, '../../packages/gateway/test-fixtures/fixture-server.mjs');
const user = { caller: 'user' } as const;
const uri = 'ui://fixture/app';

/** One generation of the official client, with its transports. */
interface Generation {
  connect(where: { url: string } | { args: string[] }): Promise<OfficialClient & { close(): Promise<void> }>;
}

const second: Generation = {
  async connect(where) {
    const client = new Client({ name: 'test', version: '1' });
    const transport =
      'url' in where
        ? new StreamableHTTPClientTransport(new URL(where.url))
        : new StdioClientTransport({ command: process.execPath, args: where.args });
    await client.connect(transport);
    return client;
  },
};

const sdk = join(
  import.meta.dirname,
  '../../e2e/servers/node_modules/@modelcontextprotocol/sdk/dist/esm/client',
);
// Installed only beside the published servers: its types are not at hand, so each class is named by what is used.
const load = async <T>(file: string): Promise<T> => (await import(pathToFileURL(join(sdk, file)).href)) as T;

type FirstClient = OfficialClient & { connect(transport: object): Promise<void>; close(): Promise<void> };

const first: Generation = {
  async connect(where) {
    const index = await load<{ Client: new (info: object) => FirstClient }>('index.js');
    const http = await load<{ StreamableHTTPClientTransport: new (url: URL) => object }>('streamableHttp.js');
    const stdio = await load<{ StdioClientTransport: new (options: object) => object }>('stdio.js');
    const client = new index.Client({ name: 'test', version: '1' });
    await client.connect(
      'url' in where
        ? new http.StreamableHTTPClientTransport(new URL(where.url))
        : new stdio.StdioClientTransport({ command: process.execPath, args: where.args }),
    );
    return client;
  },
};

let lazyAuth: LazyAuth;

beforeAll(async () => {
  lazyAuth = await startLazyAuth();
});

afterAll(() => lazyAuth?.stop());

describe.each([
  ['1.x', first],
  ['2.x', second],
])('a port over the official client %s', (_version, generation) => {
  const open = async (where: { url: string } | { args: string[] } = { args: [fixture] }) => {
    const client = await generation.connect(where);
    onTestFinished(() => client.close());
    const port = createClientPort({ client, name: 'own' });
    const events: ServerEvent[] = [];
    port.subscribe((event) => events.push(event));
    return { client, port, events };
  };

  test('lists, calls, reads and hears', async () => {
    const { port, events } = await open();
    expect((await port.listTools()).map(({ name }) => name)).toContain('echo');
    expect(await port.callTool({ name: 'echo', arguments: { a: 1 } }, user)).toEqual({
      content: [{ type: 'text', text: '{"a":1}' }],
    });
    expect(await port.readResource({ uri }, user)).toMatchObject({ contents: [{ uri }] });
    await port.subscribeResource?.({ uri });
    await port.callTool({ name: 'touch', arguments: { uri } }, user);
    await port.callTool({ name: 'flip' }, user);
    await eventually(() => events).toEqual([{ type: 'resource-updated', uri }, { type: 'tools-changed' }]);
  });

  test('names what goes wrong the same way', async () => {
    const { port, events } = await open();
    await expect(port.callTool({ name: 'refuse' }, user)).rejects.toMatchObject({
      code: 'tool-failed',
      wire: { code: -32602, message: 'city is required' },
    });
    await expect(port.callTool({ name: 'wrong_shape' }, user)).rejects.toMatchObject({
      code: 'server-garbage',
    });
    const signal = AbortSignal.abort('no');
    await expect(port.callTool({ name: 'hang' }, { ...user, signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    await expect(port.callTool({ name: 'crash' }, user)).rejects.toMatchObject({
      code: 'server-unreachable',
    });
    await eventually(() => events.at(-1)?.type).toBe('lost');
  });

  test('tells apps to sign in and keeps the number of an address to open', async () => {
    const { port } = await open({ url: lazyAuth.url });
    const fail = (name: string) => port.callTool({ name }, user).catch((error: unknown) => error);
    expect(toWireError(await fail('get_secret'))).toMatchObject({
      code: -32000,
      message: 'The server "own" asks you to sign in (HTTP 401).',
      data: { code: 'server-sign-in', httpStatus: 401 },
    });
    expect(toWireError(await fail('elicit_by_error'))).toMatchObject({
      code: -32042,
      message: 'URL elicitation required',
      data: { elicitations: [{ mode: 'url' }] },
    });
  });
});
