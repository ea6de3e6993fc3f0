import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { callTool, readText, start, waitFor } from '../gateway.test-support.js';
import { parseServerConfigs } from '../index.js';
import type { RunningGateway } from '../index.js';

interface Asked {
  method: string;
  id?: number;
  params?: Record<string, unknown>;
}

/** A server of 2024-11-05: answers come through one event stream, requests go to the address it names. */
const startServer = async (
  options: {
    endpoint?: (origin: string) => string;
    toResult?: (asked: Asked) => unknown;
  } = {},
) => {
  const asked: Asked[] = [];
  const requests: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];
  let stream: ServerResponse | undefined;
  const say = (event: string, data: string): void => {
    stream?.write(`event: ${event}\ndata: ${data}\n\n`);
  };
  const toResult = (message: Asked): unknown => {
    if (message.method === 'initialize')
      return {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'old', version: '1' },
      };
    if (message.method === 'tools/list')
      return { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] };
    return { content: [{ type: 'text', text: JSON.stringify(message.params) }] };
  };
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers });
    if (url === '/sse' && method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream = response;
      say('endpoint', options.endpoint?.(origin) ?? '/messages?session=1');
      return;
    }
    if (!url.startsWith('/messages') || method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      // The official client wrote it.
      const message = JSON.parse(text) as Asked;
      asked.push(message);
      response.writeHead(202).end('Accepted');
      if (message.id === undefined) return;
      const result = options.toResult?.(message) ?? toResult(message);
      say('message', JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(stop);
  // A TCP server has this kind of address.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `${origin}/sse`, asked, requests, stop };
};

const connect = (
  url: string,
  more: { transport?: 'sse'; headers?: Record<string, string> } = {},
): Promise<RunningGateway> =>
  start({
    servers: [{ name: 'old', kind: 'http', url, ...more }],
    requestTimeoutMs: 5000,
    maxMessageBytes: 256 * 1024,
  });

test('an address that refuses Streamable HTTP is asked the older way, with the same headers', async () => {
  const server = await startServer();
  const gateway = await connect(server.url, { headers: { Authorization: 'Bearer for-the-server' } });
  expect(gateway.servers()).toMatchObject([{ status: 'ready', kind: 'http', protocolVersion: '2024-11-05' }]);
  expect(readText(await callTool(gateway, 'old', 'echo', { arguments: { a: 1 } }))).toMatchObject({
    arguments: { a: 1 },
  });
  const [first] = server.requests;
  expect(first).toMatchObject({ method: 'POST', url: '/sse' });
  for (const { headers } of server.requests)
    expect(headers).toMatchObject({ authorization: 'Bearer for-the-server' });
  // Nothing but the handshake of its time: no probe for later revisions.
  expect(server.asked.map(({ method }) => method)).toEqual([
    'initialize',
    'notifications/initialized',
    'tools/list',
    'tools/call',
  ]);
});

test('who names the older transport gets it at once', async () => {
  const server = await startServer();
  const [config] = parseServerConfigs({ mcpServers: { old: { type: 'sse', url: server.url } } }, 'x');
  expect(config).toEqual({ name: 'old', kind: 'http', url: server.url, transport: 'sse' });
  const gateway = await connect(server.url, { transport: 'sse' });
  expect(gateway.servers()).toMatchObject([{ status: 'ready' }]);
  expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/sse' });
});

test('an address that is neither is reported by its first refusal', async () => {
  const server = await startServer();
  const gateway = await connect(server.url.replace('/sse', '/nothing'));
  expect(gateway.servers()).toMatchObject([
    { status: 'failed', error: { code: 'server-unreachable', message: expect.stringContaining('404') } },
  ]);
});

test('a stream that sends the posts elsewhere is not followed', async () => {
  const elsewhere = await startServer();
  const server = await startServer({
    endpoint: () => elsewhere.url.replace('/sse', '/messages'),
  });
  const gateway = await connect(server.url, {
    transport: 'sse',
    headers: { Authorization: 'Bearer secret' },
  });
  expect(gateway.servers()).toMatchObject([{ status: 'failed' }]);
  expect(elsewhere.requests).toEqual([]);
});

test('an answer over the limit is named, and the gateway goes on', async () => {
  const server = await startServer({
    toResult: ({ method }) =>
      method === 'tools/call' ? { content: [{ type: 'text', text: 'x'.repeat(300 * 1024) }] } : undefined,
  });
  const gateway = await connect(server.url);
  const answer = await callTool(gateway, 'old', 'echo');
  expect(answer).toMatchObject({ status: 502, body: { error: { code: 'result-too-large' } } });
});

test('a server that vanishes is told as lost', async () => {
  const server = await startServer();
  const gateway = await connect(server.url);
  server.stop();
  const gone = () => gateway.servers().find(({ status }) => status === 'failed');
  expect(await waitFor(gone, 15_000)).toMatchObject({ error: { code: 'server-unreachable' } });
});
