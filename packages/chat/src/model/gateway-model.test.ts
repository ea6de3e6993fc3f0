import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CasementError } from '@casement/protocol/start';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGatewayModel, type ModelEvent, type ModelRequest } from '../index.js';

const request: ModelRequest = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [{ name: 't', inputSchema: { type: 'object' } }],
};

const events: readonly ModelEvent[] = [
  { type: 'text', delta: 'Grüße 🌍\n' },
  { type: 'tool-input-start', id: 'a', name: 't' },
  { type: 'tool-input-delta', id: 'a', delta: '{"b":1}' },
  { type: 'tool-call', id: 'a', name: 't', text: '{"b":1}' },
  { type: 'finish', reason: 'tool-calls' },
];
const toLines = (list: readonly object[]): string =>
  list.map((event) => `${JSON.stringify(event)}\n`).join('');

/** What speaks the gateway's lines, over real sockets. */
const serve = async (
  answer: (response: ServerResponse, body: string, incoming: IncomingMessage) => void | Promise<void>,
) => {
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.setEncoding('utf8');
    incoming.on('data', (chunk: string) => (body += chunk));
    incoming.on('end', () => void answer(response, body, incoming));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // Listening on a port, so the address is one of the network.
  const { port } = server.address() as AddressInfo;
  return createGatewayModel({ url: `http://127.0.0.1:${port}/`, token: 'secret', model: 'm' });
};

const collect = async (
  stream: AsyncIterable<ModelEvent>,
): Promise<{ events: ModelEvent[]; error?: unknown }> => {
  const collected: ModelEvent[] = [];
  try {
    for await (const event of stream) collected.push(event);
    return { events: collected };
  } catch (error) {
    return { events: collected, error };
  }
};

const live = () => ({ signal: new AbortController().signal });

describe('a model behind the gateway', () => {
  test.each([1, 3, 1000])('tells its events, in pieces of %i bytes', async (size) => {
    const model = await serve(async (response) => {
      const bytes = Buffer.from(toLines(events));
      for (let at = 0; at < bytes.length; at += size) {
        response.write(bytes.subarray(at, at + size));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    expect(model.name).toBe('m');
    expect(await collect(model.stream(request, live()))).toEqual({ events });
  });

  test('asks with the token in the header, for the model by its id', async () => {
    const asked: unknown[] = [];
    const model = await serve((response, body, { method, url, headers }) => {
      const { authorization, 'content-type': type } = headers;
      asked.push({ method, url, authorization, type, body: JSON.parse(body) as unknown });
      response.end(toLines(events));
    });
    await collect(model.stream(request, live()));
    expect(asked).toEqual([
      {
        method: 'POST',
        url: '/api/chat',
        authorization: 'Bearer secret',
        type: 'application/json',
        body: { model: 'm', request },
      },
    ]);
  });

  const [first = { type: 'text', delta: '' } as const] = events;
  const failures: [string, Record<string, string>, object][] = [
    [
      'named in the last line',
      { code: 'model-refused', message: 'No.', hint: 'Do.' },
      { code: 'model-refused', message: 'No.', hint: 'Do.' },
    ],
    ['of a code nobody knows', { code: 'odd', message: 'No.' }, { code: 'internal', message: 'No.' }],
    ['without a word', {}, { code: 'internal', message: 'The gateway named no reason.' }],
  ];
  test.each(failures)('a failure %s is thrown', async (_what, line, expected) => {
    const model = await serve((response) => void response.end(toLines([first, { type: 'error', ...line }])));
    const { events: got, error } = await collect(model.stream(request, live()));
    expect(got).toEqual([first]);
    expect(error).toBeInstanceOf(CasementError);
    expect(error).toMatchObject(expected);
  });

  test.each([
    ['ends early', (response: ServerResponse) => void response.end(toLines([first]))],
    [
      'ends inside a line',
      (response: ServerResponse) => void response.end(`${toLines([first])}{"type":"fin`),
    ],
    [
      'ends before the last line was ended',
      (response: ServerResponse) => void response.end(`${toLines([first])}{"type":"finish","reason":"stop"}`),
    ],
    [
      'is cut',
      (response: ServerResponse) => {
        response.write(toLines([first]));
        setImmediate(() => response.destroy());
      },
    ],
  ])('an answer that %s is the loss of the gateway, not a failure of the model', async (_what, answer) => {
    const model = await serve(answer);
    const { events: got, error } = await collect(model.stream(request, live()));
    expect(got).toEqual([first]);
    expect(error).toMatchObject({
      code: 'gateway-lost',
      message: 'The gateway was lost in the middle of the answer.',
    });
  });

  test.each([
    'nonsense',
    '[]',
    'null',
    '{"type":"text"}',
    '{"type":"tool-call","id":1,"name":"a","text":""}',
    '{"type":"finish","reason":"because"}',
  ])('the line %s is a named failure', async (line) => {
    const model = await serve((response) => void response.end(`${line}\n`));
    const { error } = await collect(model.stream(request, live()));
    expect(error).toMatchObject({ code: 'model-failed', message: expect.stringContaining('no event') });
  });

  test('an answer that is none says so', async () => {
    const refusing = await serve((response) => {
      response.writeHead(404);
      response.end(JSON.stringify({ error: { code: 'model-unknown', message: 'There is no such model.' } }));
    });
    expect(await collect(refusing.stream(request, live()))).toMatchObject({
      error: { code: 'model-unknown', message: 'There is no such model.' },
    });
    const broken = await serve((response) => void response.writeHead(502).end('<p>Bad gateway</p>'));
    expect(await collect(broken.stream(request, live()))).toMatchObject({
      error: { code: 'internal', message: 'The gateway answered 502.' },
    });
    const nobody = createGatewayModel({ url: 'http://127.0.0.1:1', token: 'secret', model: 'm' });
    expect(await collect(nobody.stream(request, live()))).toMatchObject({
      error: { code: 'server-unreachable' },
    });
  });

  test('an abort ends the stream without a failure, at any time', async () => {
    const closed = vi.fn();
    const model = await serve((response) => {
      response.on('close', closed);
      response.write(toLines([first]));
    });
    const controller = new AbortController();
    const got: ModelEvent[] = [];
    for await (const event of model.stream(request, { signal: controller.signal })) {
      got.push(event);
      setTimeout(() => controller.abort(), 0);
    }
    expect(got).toEqual([first]);
    await expect.poll(() => closed).toHaveBeenCalledOnce();
    expect(await collect(model.stream(request, { signal: AbortSignal.abort() }))).toEqual({ events: [] });
  });

  test('who stops listening stops the model', async () => {
    const closed = vi.fn();
    const model = await serve((response) => {
      response.on('close', closed);
      response.write(toLines([first]));
    });
    for await (const event of model.stream(request, live())) {
      expect(event).toEqual(first);
      break;
    }
    await expect.poll(() => closed).toHaveBeenCalledOnce();
  });
});
