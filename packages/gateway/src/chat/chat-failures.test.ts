import { describe, expect, test } from 'vitest';
import { start } from '../gateway.test-support.js';
import {
  beginEvents,
  chat,
  completionChunks,
  hello,
  key,
  serveProvider,
  toConfig,
  toolDelta,
  writeInPieces,
} from './model-servers.test-support.js';

describe('a step that fails ends with its name', () => {
  const cases: [string, Parameters<typeof serveProvider>[0], object[]][] = [
    [
      'key refused',
      (response) => {
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: `Incorrect API key provided: ${key}.` } }));
      },
      [
        {
          type: 'error',
          code: 'model-refused',
          message: 'The provider of "Tiny" refused the key (HTTP 401).',
        },
      ],
    ],
    [
      'forbidden',
      (response) => {
        response.writeHead(403).end(key);
      },
      [
        {
          type: 'error',
          code: 'model-refused',
          message: 'The provider of "Tiny" refused the key (HTTP 403).',
        },
      ],
    ],
    [
      'server error that repeats the key',
      (response) => {
        response.writeHead(500, { 'content-type': 'application/json' });
        const message = `Bad: ${key}\u0000, ${encodeURIComponent(key)} and ${key.slice(0, 5)}\u0007${key.slice(5)}`;
        response.end(JSON.stringify({ error: { message } }));
      },
      [
        {
          type: 'error',
          code: 'model-failed',
          message: 'The provider of "Tiny" answered HTTP 500: Bad: [key], [key] and [key]',
        },
      ],
    ],
    [
      'model missing',
      (response) => {
        response.writeHead(404, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: 'model "tiny" not found' } }));
      },
      [
        {
          type: 'error',
          code: 'model-failed',
          message: 'The provider of "Tiny" answered HTTP 404: model "tiny" not found',
        },
      ],
    ],
    [
      'redirect',
      (response) => {
        response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
      },
      [
        {
          type: 'error',
          code: 'model-unreachable',
          message: expect.stringContaining('unexpected redirect'),
        },
      ],
    ],
    [
      'connection cut half-way',
      async (response) => {
        beginEvents(response);
        await writeInPieces(
          response,
          completionChunks([{ content: 'Hal' }, toolDelta(0, '{"a":1', { id: 'x', name: 't' })]),
        );
        response.destroy();
      },
      [
        { type: 'text', delta: 'Hal' },
        { type: 'tool-input-start', id: 'x', name: 't' },
        { type: 'tool-input-delta', id: 'x', delta: '{"a":1' },
        {
          type: 'error',
          code: 'model-failed',
          message: expect.stringMatching(/^The answer of "Tiny" broke off before it was complete \(/),
        },
      ],
    ],
    [
      'end without a finish',
      (response) => {
        beginEvents(response);
        response.end(completionChunks([{ content: 'Hal' }, toolDelta(0, '{"a":1', { id: 'x', name: 't' })]));
      },
      [
        { type: 'text', delta: 'Hal' },
        { type: 'tool-input-start', id: 'x', name: 't' },
        { type: 'tool-input-delta', id: 'x', delta: '{"a":1' },
        {
          type: 'error',
          code: 'model-failed',
          message: 'The answer of "Tiny" broke off before it was complete.',
        },
      ],
    ],
    [
      'garbage in the stream',
      (response) => {
        beginEvents(response);
        response.end(`${completionChunks([{ content: 'Hi' }])}data: {"choices": ${key}\n\n`);
      },
      [
        { type: 'text', delta: 'Hi' },
        {
          type: 'error',
          code: 'model-failed',
          message: 'The provider of "Tiny" answered something that is not the protocol.',
        },
      ],
    ],
    [
      'a page of HTML instead',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Welcome</p>');
      },
      [
        {
          type: 'error',
          code: 'model-failed',
          message: 'The answer of "Tiny" broke off before it was complete.',
        },
      ],
    ],
    [
      'an error inside the stream',
      (response) => {
        beginEvents(response);
        response.end(`data: ${JSON.stringify({ error: { message: `overloaded ${key}`, type: 'x' } })}\n\n`);
      },
      [{ type: 'error', code: 'model-failed', message: 'The provider of "Tiny" gave up: overloaded [key]' }],
    ],
  ];

  test.each(cases)('%s', async (_what, answer, expected) => {
    const provider = await serveProvider(answer);
    const gateway = await start({ models: [toConfig(provider)] });
    const { status, text, events } = await chat(gateway, hello);
    expect(status).toBe(200);
    expect(events).toEqual([...expected.slice(0, -1), { ...expected.at(-1), hint: expect.any(String) }]);
    expect(text).not.toContain(key);
    expect(provider.calls).toHaveLength(1);
  });

  test('nobody there', async () => {
    const gateway = await start({ models: [toConfig({ url: 'http://127.0.0.1:1/v1' })] });
    const { events } = await chat(gateway);
    expect(events).toEqual([
      {
        type: 'error',
        code: 'model-unreachable',
        message: expect.stringContaining('"Tiny" could not be reached'),
        hint: expect.any(String),
      },
    ]);
  });

  test('and the next one is not the worse for it', async () => {
    let asked = 0;
    const provider = await serveProvider((response) => {
      asked += 1;
      if (asked === 1) return void response.destroy();
      beginEvents(response);
      response.end(completionChunks([{ content: 'hi' }], 'stop'));
    });
    const gateway = await start({ models: [toConfig(provider)] });
    expect((await chat(gateway)).events.at(-1)).toMatchObject({ code: 'model-unreachable' });
    expect((await chat(gateway)).events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });
});
