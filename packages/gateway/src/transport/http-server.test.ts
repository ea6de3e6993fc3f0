import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { api, callTool, holdTime, openEvents, readText, start, waitFor } from '../gateway.test-support.js';
import type { RunningGateway } from '../index.js';

interface Asked {
  method: string;
  id?: number;
  params?: Record<string, unknown>;
}

type Behaviour = (asked: Asked, request: IncomingMessage, response: ServerResponse) => boolean;

const listen = async (
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> => {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A TCP server has this kind of address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const sendJson = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const answer = (response: ServerResponse, id: number | undefined, result: unknown): void => {
  sendJson(response, { jsonrpc: '2.0', id, result });
};

/** A Streamable HTTP server of 2025-11-25; `behave` may take a request over by returning true. */
const startServer = async (
  behave: Behaviour = () => false,
  onGet = (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(405).end(),
): Promise<{ url: string; asked: Asked[]; headers: IncomingMessage['headers'][] }> => {
  const asked: Asked[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const origin = await listen((request, response) => {
    headers.push(request.headers);
    if (request.method !== 'POST') {
      onGet(request, response);
      return;
    }
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      // The official client wrote it.
      const message = JSON.parse(text) as Asked;
      asked.push(message);
      if (behave(message, request, response)) return;
      if (message.id === undefined) response.writeHead(202).end();
      else if (message.method === 'initialize') {
        answer(response, message.id, {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {}, resources: {} },
          serverInfo: { name: 'http', version: '1' },
        });
      } else if (message.method === 'tools/list') {
        answer(response, message.id, { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] });
      } else if (message.method === 'tools/call') {
        answer(response, message.id, { content: [{ type: 'text', text: JSON.stringify(message.params) }] });
      } else {
        sendJson(response, {
          jsonrpc: '2.0',
          id: message.id,
          error: { code: -32601, message: 'Method not found' },
        });
      }
    });
  });
  return { url: `${origin}/mcp`, asked, headers };
};

const connect = (
  url: string,
  more: { headers?: Record<string, string>; requestTimeoutMs?: number } = {},
): Promise<RunningGateway> =>
  start({
    servers: [{ name: 'web', kind: 'http', url, ...(more.headers && { headers: more.headers }) }],
    requestTimeoutMs: more.requestTimeoutMs ?? 5000,
    maxMessageBytes: 1024 * 1024,
  });

verifies(
  'HOST-075',
  'a Streamable HTTP server sees the UI extension and the configured headers',
  async () => {
    const server = await startServer();
    const gateway = await connect(server.url, {
      headers: { Authorization: 'Bearer for-the-server', 'X-Team': 'a' },
    });
    expect(gateway.servers()).toMatchObject([
      { status: 'ready', kind: 'http', protocolVersion: '2025-11-25' },
    ]);
    const initialize = server.asked.find(({ method }) => method === 'initialize');
    expect(initialize?.params).toMatchObject({
      capabilities: {
        extensions: {
          'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app', 'text/html+mcp'] },
        },
      },
    });
    for (const headers of server.headers) {
      expect(headers).toMatchObject({ authorization: 'Bearer for-the-server', 'x-team': 'a' });
    }
    expect(readText(await callTool(gateway, 'web', 'echo', { arguments: { a: 1 } }))).toMatchObject({
      arguments: { a: 1 },
    });
    expect(JSON.stringify(gateway.servers())).not.toContain('for-the-server');
  },
);

verifies(
  'HOST-075',
  'a Streamable HTTP server of 2026-07-28 sees the UI extension with every request',
  async () => {
    const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
    const inputSchema = {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    };
    const server = await startServer(({ method, id }, _request, response) => {
      if (method === 'server/discover') {
        answer(response, id, { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
      } else if (method === 'tools/list') {
        answer(response, id, { ...complete, tools: [{ name: 'echo', inputSchema }] });
      } else if (method === 'tools/call') {
        answer(response, id, { ...complete, content: [{ type: 'text', text: '"modern"' }] });
      } else return false;
      return true;
    });
    const gateway = await connect(server.url);
    expect(gateway.servers()).toMatchObject([{ status: 'ready', protocolVersion: '2026-07-28' }]);
    expect(readText(await callTool(gateway, 'web', 'echo', { arguments: { region: 'north' } }))).toBe(
      'modern',
    );
    expect(server.asked.map(({ method }) => method)).toEqual(['server/discover', 'tools/list', 'tools/call']);
    for (const { params } of server.asked) {
      expect(params?._meta).toMatchObject({
        'io.modelcontextprotocol/clientCapabilities': {
          extensions: {
            'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app', 'text/html+mcp'] },
          },
        },
      });
    }
    expect(server.headers.at(-1)).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-param-region': 'north' });
  },
);

test('an answer as an event stream is read', async () => {
  const server = await startServer(({ method, id }, _request, response) => {
    if (method !== 'tools/call') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const result = { content: [{ type: 'text', text: '"streamed"' }] };
    response.end(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    return true;
  });
  expect(readText(await callTool(await connect(server.url), 'web', 'echo'))).toBe('streamed');
});

test('a server that vanishes while its stream is open is told as lost before the next call', async () => {
  const streams: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
      streams.push(response);
      return;
    }
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      // The official client wrote it.
      const { id, method } = JSON.parse(text) as Asked;
      if (id === undefined) response.writeHead(202).end();
      else if (method !== 'initialize')
        sendJson(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'No' } });
      else
        answer(response, id, {
          protocolVersion: '2025-11-25',
          capabilities: {},
          serverInfo: { name: 'http', version: '1' },
        });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server has this kind of address.
  const gateway = await connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  expect(gateway.servers()).toMatchObject([{ status: 'ready' }]);
  await waitFor(() => streams.length > 0);
  server.close();
  server.closeAllConnections();
  const gone = () => gateway.servers().find(({ status }) => status === 'failed');
  expect(await waitFor(gone, 15_000)).toMatchObject({
    error: { code: 'server-unreachable', hint: expect.stringContaining('still running') },
  });
}, 20_000);

test('a redirect to another origin is not followed', async () => {
  const reached: string[] = [];
  const elsewhere = await listen((request, response) => {
    reached.push(request.url ?? '');
    response.end('{}');
  });
  const server = await startServer((_asked, _request, response) => {
    response.writeHead(307, { location: `${elsewhere}/steal` }).end();
    return true;
  });
  const gateway = await connect(server.url, { headers: { Authorization: 'Bearer for-the-server' } });
  expect(gateway.servers()).toMatchObject([{ status: 'failed', error: { code: 'server-unreachable' } }]);
  expect(reached).toEqual([]);
});

const tooLarge: [string, (response: ServerResponse, id: number | undefined) => void][] = [
  [
    'as JSON',
    (response, id) => {
      answer(response, id, { content: [{ type: 'text', text: 'x'.repeat(2_000_000) }] });
    },
  ],
  [
    'compressed',
    (response, id) => {
      const result = { content: [{ type: 'text', text: 'x'.repeat(30_000_000) }] };
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify({ jsonrpc: '2.0', id, result })));
    },
  ],
  [
    'as an event',
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${'x'.repeat(2_000_000)}`);
    },
  ],
];

for (const [how, respond] of tooLarge) {
  test(`an answer over the limit ${how} is refused by name`, async () => {
    const server = await startServer(({ method, id }, _request, response) => {
      if (method !== 'tools/call' || id === undefined) return false;
      respond(response, id);
      return true;
    });
    const gateway = await connect(server.url);
    const { body } = await callTool(gateway, 'web', 'echo');
    expect(body.error?.code).toBe('result-too-large');
    expect((await api(gateway, '/servers/web/tools')).status).toBe(200);
  });
}

test('a stream that ends without the answer fails at once, not at the time limit', async () => {
  const server = await startServer(({ method }, _request, response) => {
    if (method !== 'tools/call') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
    return true;
  });
  const gateway = await connect(server.url);
  // No limit passes from here on.
  holdTime();
  expect((await callTool(gateway, 'web', 'echo')).body.error?.code).toBe('server-garbage');
});

test('silence, wrong content and refusals have names', async () => {
  const silent = await startServer(({ method }) => method === 'tools/call');
  holdTime();
  const quiet = await connect(silent.url, { requestTimeoutMs: 500 });
  const unanswered = callTool(quiet, 'web', 'echo');
  await waitFor(() => silent.asked.some(({ method }) => method === 'tools/call'));
  await vi.advanceTimersByTimeAsync(500);
  expect((await unanswered).body.error?.code).toBe('server-timeout');
  vi.useRealTimers();

  const page = await startServer(({ method }, _request, response) => {
    if (method !== 'tools/call') return false;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
    return true;
  });
  expect((await callTool(await connect(page.url), 'web', 'echo')).body.error?.code).toBe('server-garbage');

  const closed = await startServer((_asked, _request, response) => {
    response.writeHead(401).end();
    return true;
  });
  expect((await connect(closed.url)).servers()).toMatchObject([
    { status: 'failed', error: { code: 'server-sign-in', hint: expect.stringContaining('Authorization') } },
  ]);
  expect((await connect('http://127.0.0.1:9/mcp')).servers()).toMatchObject([
    {
      status: 'failed',
      error: {
        code: 'server-unreachable',
        message: expect.stringContaining('nothing listens at 127.0.0.1 port 9'),
      },
    },
  ]);
});

test('a call the server wants a sign-in for fails by that name, and the server stays ready', async () => {
  const server = await startServer(({ method }, _request, response) => {
    if (method !== 'tools/call') return false;
    response
      .writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="http://127.0.0.1/x"' })
      .end('{"error":"invalid_token"}');
    return true;
  });
  const gateway = await connect(server.url);
  const { status, body } = await callTool(gateway, 'web', 'echo', { caller: 'app' });
  // Not 401: that would tell the page that its own token is wrong.
  expect(status).toBe(502);
  expect(body.error).toMatchObject({
    code: 'server-sign-in',
    message: expect.stringContaining('sign in (HTTP 401)'),
    wire: { code: -32000, data: { code: 'server-sign-in', httpStatus: 401 } },
  });
  expect(gateway.servers()).toMatchObject([{ status: 'ready' }]);
});

test('a demand to open an address reaches the caller with its number and data', async () => {
  const elicitations = [
    { mode: 'url', url: 'https://example.com/in', message: 'Sign in', elicitationId: 'e' },
  ];
  const server = await startServer(({ method, id }, _request, response) => {
    if (method !== 'tools/call') return false;
    sendJson(response, {
      jsonrpc: '2.0',
      id,
      error: { code: -32042, message: 'URL elicitation required', data: { elicitations } },
    });
    return true;
  });
  const { body } = await callTool(await connect(server.url), 'web', 'echo', { caller: 'app' });
  expect(body.error).toMatchObject({
    code: 'tool-failed',
    wire: { code: -32042, message: 'URL elicitation required', data: { elicitations } },
  });
});

test.each([0, 99_999_999_999])(
  'sec-B7 a server that ends its stream and says "retry: %d" is not asked again without a pause',
  async (retry) => {
    let streams = 0;
    const server = await startServer(
      (asked, _request, response) => {
        if (asked.method !== 'tools/call') return false;
        // A stream that can be taken up again, and never brings the answer.
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`retry: ${retry}\nid: 1\ndata:\n\n`);
        return true;
      },
      (_request, response) => {
        streams += 1;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`retry: ${retry}\nid: ${streams}\ndata:\n\n`);
      },
    );
    const gateway = await connect(server.url, { requestTimeoutMs: 1500 });
    expect((await callTool(gateway, 'web', 'echo')).body.error).toMatchObject({ code: 'server-timeout' });
    expect(streams).toBeLessThan(20);
  },
  20_000,
);

test('sec-B7 a JSON body that is a long batch is refused by name, and none of it is handed on', async () => {
  const server = await startServer((asked, _request, response) => {
    if (asked.method !== 'tools/call') return false;
    const note = { jsonrpc: '2.0', method: 'notifications/of-my-own' };
    const result = { jsonrpc: '2.0', id: asked.id, result: { content: [] } };
    sendJson(response, [...Array.from({ length: 1000 }, () => note), result]);
    return true;
  });
  const gateway = await connect(server.url);
  const { events, until } = await openEvents(gateway);
  expect((await callTool(gateway, 'web', 'echo')).body.error).toMatchObject({ code: 'server-garbage' });
  await until((event) => event.type === 'recording' && JSON.stringify(event).includes('not JSON-RPC'));
  const entries = events.flatMap((event) => (event.type === 'recording' ? [event.entry] : []));
  expect(entries.filter(({ kind, dir }) => kind === 'notification' && dir === 'in')).toEqual([]);
});
