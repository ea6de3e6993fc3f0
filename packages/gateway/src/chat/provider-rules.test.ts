import { describe, expect, test } from 'vitest';
import { start, waitFor } from '../gateway.test-support.js';
import {
  beginEvents,
  chat,
  completionChunks,
  hello,
  messageEnd,
  messageEvents,
  messageStart,
  pixel,
  serveProvider,
  toConfig,
  weather,
} from './model-servers.test-support.js';

const serveOpenai = () =>
  serveProvider((response) => {
    beginEvents(response);
    response.end(completionChunks([{ content: 'ok' }], 'stop'));
  });

const serveAnthropic = () =>
  serveProvider((response) => {
    beginEvents(response);
    response.end(
      messageEvents([
        messageStart,
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ok' } },
        { type: 'content_block_stop', index: 0 },
        ...messageEnd('end_turn'),
      ]),
    );
  });

/** What each kind of provider is sent for a request. */
const askBoth = async (request: object): Promise<{ openai: unknown; anthropic: unknown }> => {
  const [openai, anthropic] = [await serveOpenai(), await serveAnthropic()];
  const gateway = await start({
    models: [toConfig(openai, { id: 'o' }), toConfig(anthropic, { id: 'a', kind: 'anthropic' })],
  });
  for (const model of ['o', 'a'])
    expect((await chat(gateway, request, model)).events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  return { openai: openai.calls[0]?.body, anthropic: anthropic.calls[0]?.body };
};

const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
const toolCall = (id: string, name = 'look') => [
  { role: 'assistant', content: [{ type: 'tool-call', id, name, arguments: {} }] },
  { role: 'tool', results: [{ id, name, content: [{ type: 'text', text: 'seen' }] }] },
];

describe('what providers refuse for the whole conversation is not sent', () => {
  test('texts without a word, and messages without anything', async () => {
    const { openai, anthropic } = await askBoth({
      tools: [],
      messages: [
        { role: 'system', text: ' ' },
        user(' \n'),
        { role: 'assistant', content: [] },
        user('hi'),
        {
          role: 'assistant',
          content: [
            { type: 'text', text: '\n\n' },
            { type: 'tool-call', id: 'c', name: 'look', arguments: {} },
          ],
        },
        {
          role: 'tool',
          results: [
            {
              id: 'c',
              name: 'look',
              content: [
                { type: 'text', text: '' },
                { type: 'image', data: pixel, mimeType: 'image/png' },
              ],
            },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: ' ' }] },
        user('go on'),
      ],
    });
    const source = { type: 'base64', media_type: 'image/png', data: pixel };
    expect(anthropic).toMatchObject({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'look', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'image', source }] },
            { type: 'text', text: 'go on' },
          ],
        },
      ],
    });
    expect(anthropic).not.toHaveProperty('system');
    expect(openai).toMatchObject({
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', tool_calls: [{ id: 'c' }] },
        { role: 'tool', tool_call_id: 'c' },
        { role: 'user', content: 'go on' },
      ],
    });
  });

  test('nothing but blanks asks nobody', async () => {
    const provider = await serveOpenai();
    const gateway = await start({ models: [toConfig(provider)] });
    const { events } = await chat(gateway, { tools: [], messages: [user(' ')] });
    expect(events).toEqual([
      {
        type: 'error',
        code: 'model-failed',
        message: 'There is nothing to ask the model: no message says anything.',
        hint: 'Write a message.',
      },
    ]);
    expect(provider.calls).toEqual([]);
  });

  test('ids that another model gave its calls', async () => {
    const [dotted, long] = ['functions.look:0', 'x'.repeat(41)];
    const { openai, anthropic } = await askBoth({
      tools: [weather],
      messages: [user('a'), ...toolCall(dotted), ...toolCall(long), ...toolCall('toolu_1'), user('b')],
    });
    const idsOf = (body: unknown): string[] =>
      [...JSON.stringify(body).matchAll(/"(?:tool_use_id|tool_call_id|id)":"([^"]+)"/g)].map(
        ([, id]) => id ?? '',
      );
    expect(idsOf(openai)).toEqual([
      ...[dotted, dotted],
      ...['casement_call_1', 'casement_call_1'],
      ...['toolu_1', 'toolu_1'],
    ]);
    expect(idsOf(anthropic)).toEqual([
      ...['casement_call_1', 'casement_call_1'],
      ...[long, long],
      ...['toolu_1', 'toolu_1'],
    ]);
  });

  test('calls without any tool on offer, which Anthropic refuses', async () => {
    const { openai, anthropic } = await askBoth({
      tools: [],
      messages: [user('a'), ...toolCall('c1'), ...toolCall('c2'), ...toolCall('c3', 'hear'), user('b')],
    });
    expect(openai).not.toHaveProperty('tools');
    expect(anthropic).toMatchObject({
      tools: [
        { name: 'look', description: 'No longer there.', input_schema: { type: 'object', properties: {} } },
        { name: 'hear' },
      ],
    });
  });
});

describe('schemas of tools', () => {
  const toSchemas = async (...schemas: object[]): Promise<unknown[]> => {
    const tools = schemas.map((inputSchema, index) => ({ name: `t${index}`, inputSchema }));
    const { openai, anthropic } = await askBoth({ ...hello, tools });
    // What our own provider was sent; the tests compare what it is.
    const ofOpenai = (openai as { tools: { function: { parameters: unknown } }[] }).tools;
    const ofAnthropic = (anthropic as { tools: { input_schema: unknown }[] }).tools;
    expect(ofAnthropic.map((tool) => tool.input_schema)).toEqual(
      ofOpenai.map((tool) => tool.function.parameters),
    );
    return ofOpenai.map((tool) => tool.function.parameters);
  };
  const text = { type: 'string' };

  test('are objects with properties, whatever the tool says', async () => {
    const whole = {
      type: 'object',
      properties: { n: { $ref: '#/$defs/N', anyOf: [text] } },
      required: ['n'],
      additionalProperties: false,
      $defs: { N: { type: 'number' } },
    };
    expect(
      await toSchemas({}, { type: 'object' }, { type: ['object', 'null'], required: true }, whole),
    ).toEqual([
      { type: 'object', properties: {} },
      { type: 'object', properties: {} },
      { type: 'object', properties: {} },
      whole,
    ]);
  });

  test('are folded together where they are put together at the top', async () => {
    const one = { type: 'object', properties: { kind: text, a: text }, required: ['kind', 'a'] };
    const two = { type: 'object', properties: { kind: { const: 'two' }, b: text }, required: ['kind'] };
    const $defs = { One: one };
    const both = { type: 'object', properties: { kind: text, a: text, b: text } };
    expect(
      await toSchemas(
        { anyOf: [one, two], description: 'either' },
        { type: 'object', properties: { x: text }, required: ['x'], oneOf: [two, one] },
        { allOf: [one, two] },
        { $ref: '#/$defs/One', $defs },
        { allOf: [{ $ref: '#/$defs/One' }, { $ref: 'https://elsewhere.example/x' }], $defs, not: two },
      ),
    ).toEqual([
      { ...both, required: ['kind'], description: 'either' },
      { type: 'object', properties: { x: text, ...two.properties, a: text }, required: ['x', 'kind'] },
      { ...both, required: ['kind', 'a'] },
      { ...one, $defs },
      { ...one, $defs },
    ]);
  });

  test('that lead to themselves end', async () => {
    const again = Array.from({ length: 60 }, () => ({ $ref: '#/$defs/Loop' }));
    const $defs = { Loop: { properties: { a: text }, anyOf: again, allOf: again } };
    expect(await toSchemas({ anyOf: again, $defs })).toEqual([
      { type: 'object', properties: { a: text }, $defs },
    ]);
  });
});

describe('a provider is let go of', () => {
  test('when its answer is over the limit', async () => {
    const provider = await serveProvider((response) => {
      beginEvents(response);
      const chunk = completionChunks([{ content: 'x'.repeat(1024 * 1024) }]);
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      write();
    });
    const { events } = await chat(await start({ models: [toConfig(provider)] }));
    expect(events.at(-1)).toMatchObject({ code: 'model-failed', message: expect.stringContaining('16 MB') });
    await waitFor(() => provider.calls[0]?.dropped);
  }, 30_000);

  test('when it said that it failed and does not end', async () => {
    const provider = await serveProvider((response) => {
      beginEvents(response);
      response.write('data: {"error":{"message":"boom"}}\n\n');
    });
    const { events } = await chat(await start({ models: [toConfig(provider)] }));
    expect(events.at(-1)).toMatchObject({ code: 'model-failed', message: expect.stringContaining('boom') });
    await waitFor(() => provider.calls[0]?.dropped);
  });
});

test('a long conversation gets through, one beyond all measure is named', async () => {
  const provider = await serveOpenai();
  const gateway = await start({ models: [toConfig(provider)] });
  const long = { tools: [], messages: [user('x'.repeat(9 * 1024 * 1024))] };
  expect((await chat(gateway, long)).events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  const { status, text } = await chat(gateway, { tools: [], messages: [user('x'.repeat(33 * 1024 * 1024))] });
  expect([status, text]).toEqual([413, expect.stringContaining('over the limit of 32 MB')]);
}, 30_000);

test('a request the provider does not take says what to leave out', async () => {
  const provider = await serveProvider((response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: "Invalid 'tools': array too long." } }));
  });
  const tools = Array.from({ length: 200 }, (_, index) => ({ ...weather, name: `t${index}` }));
  const { events } = await chat(await start({ models: [toConfig(provider)] }), { ...hello, tools });
  expect(events).toEqual([
    {
      type: 'error',
      code: 'model-failed',
      message: 'The provider of "Tiny" answered HTTP 400: Invalid \'tools\': array too long.',
      hint: expect.stringContaining('Leave that out'),
    },
  ]);
});
