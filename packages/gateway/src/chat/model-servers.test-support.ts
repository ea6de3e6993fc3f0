import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { portOf } from '../gateway.test-support.js';
import type { ChatEvent, ModelConfig, RunningGateway } from '../index.js';

/** A key that looks like none of the well-known ones, so that only knowing it can hide it. */
export const key = 'Kq9+zz/secret"7Value==';

/** What a provider was asked. */
export interface ProviderCall {
  url: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** Whether the other end left before the answer was over. */
  dropped: boolean;
}

/** A model's provider on this machine. */
export interface Provider {
  url: string;
  calls: ProviderCall[];
}

/** Serves whatever the test answers, over real sockets. */
export const serveProvider = async (
  answer: (response: ServerResponse, call: ProviderCall) => void | Promise<void>,
): Promise<Provider> => {
  const calls: ProviderCall[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      // The SDK sends JSON; what is in it is what the tests look at.
      const body = JSON.parse(text) as ProviderCall['body'];
      const call = { url: request.url ?? '', headers: request.headers, body, dropped: false };
      calls.push(call);
      response.on('close', () => (call.dropped = !response.writableFinished));
      void answer(response, call);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // Listening on a port, so the address is one of the network.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, calls };
};

/** Writes text in pieces of a few bytes, each in a write of its own, so that every border falls somewhere awkward. */
export const writeInPieces = async (response: ServerResponse, text: string, size = 7): Promise<void> => {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    await new Promise((resolve) => setImmediate(resolve));
  }
};

export const beginEvents = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
};

/** Chunks of a chat completion as OpenAI streams them. */
export const completionChunks = (deltas: readonly object[], finish: string | null = null): string => {
  const toChunk = (delta: object, reason: string | null): string =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_760_000_000,
      model: 'tiny',
      choices: [{ index: 0, delta, finish_reason: reason }],
    })}\n\n`;
  const chunks = deltas.map((delta) => toChunk(delta, null)).join('');
  return finish === null ? chunks : `${chunks}${toChunk({}, finish)}data: [DONE]\n\n`;
};

export const toolDelta = (index: number, text: string, start?: { id: string; name: string }): object => ({
  tool_calls: [
    {
      index,
      ...(start && { id: start.id, type: 'function' }),
      function: { ...(start && { name: start.name }), arguments: text },
    },
  ],
});

/** Events of Anthropic's messages stream, each with its name. */
export const messageEvents = (events: readonly ({ type: string } & Record<string, unknown>)[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

export const messageStart = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    model: 'claude-test',
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};

export const messageEnd = (reason: string): ({ type: string } & Record<string, unknown>)[] => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
];

/** A model of the gateway's options. */
export const toConfig = (provider: { url: string }, more: Partial<ModelConfig> = {}): ModelConfig => ({
  id: 'm',
  label: 'Tiny',
  kind: 'openai-compatible',
  baseUrl: provider.url,
  model: 'tiny',
  apiKey: key,
  ...more,
});

export const hello = { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }], tools: [] };

/** The same without a key. */
export const toKeylessConfig = (provider: { url: string }, kind: ModelConfig['kind']): ModelConfig => ({
  id: 'm',
  label: 'Tiny',
  kind,
  baseUrl: provider.url,
  model: 'tiny',
});

/** A tool as the page offers it. */
export const weather = {
  name: 'weather__forecast',
  description: 'Tells the weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

export const pixel = 'iVBORw0KGgoAAAANSUhEUg==';

/** A conversation with everything in it. */
export const conversation = {
  messages: [
    { role: 'system', text: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Weather in Zürich?' },
        { type: 'image', data: pixel, mimeType: 'image/png' },
      ],
    },
    { role: 'system', text: 'The app shows Bern.' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool-call', id: 'c1', name: 'weather__forecast', arguments: { city: 'Zürich' } },
        { type: 'tool-call', id: 'c2', name: 'weather__forecast', arguments: {} },
      ],
    },
    {
      role: 'tool',
      results: [
        {
          id: 'c1',
          name: 'weather__forecast',
          content: [
            { type: 'text', text: 'Sunny' },
            { type: 'image', data: pixel, mimeType: 'image/png' },
          ],
        },
        { id: 'c2', name: 'weather__forecast', content: [{ type: 'text', text: 'No city' }], isError: true },
      ],
    },
  ],
  tools: [weather],
  maxTokens: 300,
};

/** Asks for one step and gives the answer as it came and its lines. */
export const chat = async (
  gateway: RunningGateway,
  request: object = hello,
  model = 'm',
): Promise<{ status: number; text: string; type: string | null; events: ChatEvent[] }> => {
  const response = await fetch(`http://127.0.0.1:${portOf(gateway)}/api/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, request }),
  });
  const text = await response.text();
  // Our own lines; the tests compare what they are.
  const events = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ChatEvent);
  return { status: response.status, text, type: response.headers.get('content-type'), events };
};

/** Begins a step and gives a way to leave in the middle of it. */
export const beginChat = (gateway: RunningGateway, onData: (text: string) => void): { leave(): void } => {
  const request = httpRequest(
    {
      host: '127.0.0.1',
      port: portOf(gateway),
      path: '/api/chat',
      method: 'POST',
      headers: {
        host: `localhost:${portOf(gateway)}`,
        authorization: `Bearer ${gateway.token}`,
        'content-type': 'application/json',
      },
    },
    (response) => {
      response.setEncoding('utf8');
      response.on('data', onData);
      response.on('error', () => undefined);
    },
  );
  request.on('error', () => undefined);
  request.end(JSON.stringify({ model: 'm', request: hello }));
  return {
    leave() {
      request.destroy();
    },
  };
};
