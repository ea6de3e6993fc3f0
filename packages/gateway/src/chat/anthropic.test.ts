import { describe, expect, test } from 'vitest';
import { start, waitFor } from '../gateway.test-support.js';
import {
  beginChat,
  beginEvents,
  chat,
  conversation,
  hello,
  key,
  messageEnd,
  messageEvents,
  messageStart,
  pixel,
  serveProvider,
  toConfig,
  weather,
  writeInPieces,
} from './model-servers.test-support.js';

const claude = { kind: 'anthropic', model: 'claude-test', label: 'Claude' } as const;

const textBlock = (index: number, ...texts: string[]) => [
  { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
  ...texts.map((text) => ({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })),
  { type: 'content_block_stop', index },
];

const toolBlock = (index: number, id: string, name: string, ...texts: string[]) => [
  { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } },
  ...texts.map((text) => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'input_json_delta', partial_json: text },
  })),
  { type: 'content_block_stop', index },
];

describe('a model of Anthropic', () => {
  test('speaks in small deltas, and its calls come back to the page as it wrote them', async () => {
    const provider = await serveProvider(async (response) => {
      beginEvents(response);
      await writeInPieces(
        response,
        messageEvents([
          messageStart,
          { type: 'ping' },
          ...textBlock(0, 'Grüß', 'e 🌍'),
          ...toolBlock(1, 'toolu_a', 'weather__forecast', '', '{"ci', 'ty": "Zür', 'ich"}'),
          ...toolBlock(2, 'toolu_b', 'now'),
          ...messageEnd('tool_use'),
        ]),
      );
      response.end();
    });
    const gateway = await start({ models: [toConfig(provider, claude)] });
    const { events } = await chat(gateway, {
      ...hello,
      tools: [weather, { name: 'now', inputSchema: { type: 'object' } }],
    });
    expect(events).toEqual([
      { type: 'text', delta: 'Grüß' },
      { type: 'text', delta: 'e 🌍' },
      { type: 'tool-input-start', id: 'toolu_a', name: 'weather__forecast' },
      { type: 'tool-input-delta', id: 'toolu_a', delta: '{"ci' },
      { type: 'tool-input-delta', id: 'toolu_a', delta: 'ty": "Zür' },
      { type: 'tool-input-delta', id: 'toolu_a', delta: 'ich"}' },
      { type: 'tool-input-start', id: 'toolu_b', name: 'now' },
      { type: 'tool-call', id: 'toolu_a', name: 'weather__forecast', text: '{"city": "Zürich"}' },
      { type: 'tool-call', id: 'toolu_b', name: 'now', text: '{}' },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  test('is told the messages, results and tools, and shown the pictures in results', async () => {
    const provider = await serveProvider((response) => {
      beginEvents(response);
      response.end(messageEvents([messageStart, ...textBlock(0, 'ok'), ...messageEnd('end_turn')]));
    });
    const gateway = await start({ models: [toConfig(provider, claude)] });
    const { events } = await chat(gateway, conversation);
    expect(events).toEqual([
      { type: 'text', delta: 'ok' },
      { type: 'finish', reason: 'stop' },
    ]);
    const [call] = provider.calls;
    expect(call?.url).toBe('/v1/messages');
    expect(call?.headers['x-api-key']).toBe(key);
    const source = { type: 'base64', media_type: 'image/png', data: pixel };
    expect(call?.body).toEqual({
      model: 'claude-test',
      stream: true,
      max_tokens: 300,
      tool_choice: { type: 'auto' },
      system: [{ type: 'text', text: 'Be brief.\n\nThe app shows Bern.' }],
      tools: [
        {
          name: 'weather__forecast',
          description: 'Tells the weather',
          input_schema: weather.inputSchema,
          // What makes the arguments come in small pieces.
          eager_input_streaming: true,
        },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Weather in Zürich?' },
            { type: 'image', source },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'c1', name: 'weather__forecast', input: { city: 'Zürich' } },
            { type: 'tool_use', id: 'c2', name: 'weather__forecast', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'c1',
              content: [
                { type: 'text', text: 'Sunny' },
                { type: 'image', source },
              ],
            },
            { type: 'tool_result', tool_use_id: 'c2', content: 'No city', is_error: true },
          ],
        },
      ],
    });
  });

  test('hears of it when the page goes away', async () => {
    const provider = await serveProvider((response) => {
      beginEvents(response);
      response.write(messageEvents([messageStart, ...textBlock(0, 'one')]));
    });
    let text = '';
    const page = beginChat(await start({ models: [toConfig(provider, claude)] }), (chunk) => (text += chunk));
    await waitFor(() => text.includes('one'));
    page.leave();
    await waitFor(() => provider.calls[0]?.dropped);
  });

  const failures: [string, Parameters<typeof serveProvider>[0], object][] = [
    [
      'key refused',
      (response) => {
        response.writeHead(401, { 'content-type': 'application/json' });
        const error = { type: 'authentication_error', message: `invalid x-api-key ${key}` };
        response.end(JSON.stringify({ type: 'error', error }));
      },
      { code: 'model-refused', message: 'The provider of "Claude" refused the key (HTTP 401).' },
    ],
    [
      'too many requests',
      (response) => {
        response.writeHead(429, { 'content-type': 'application/json' });
        const error = { type: 'rate_limit_error', message: `Slow down, ${key}` };
        response.end(JSON.stringify({ type: 'error', error }));
      },
      { code: 'model-failed', message: 'The provider of "Claude" answered HTTP 429: Slow down, [key]' },
    ],
    [
      'an error inside the stream',
      (response) => {
        beginEvents(response);
        const error = { type: 'api_error', message: `Broken ${key}` };
        response.end(messageEvents([messageStart, ...textBlock(0, 'one'), { type: 'error', error }]));
      },
      { code: 'model-failed', message: 'The provider of "Claude" gave up: Broken [key]' },
    ],
    [
      'end without a finish',
      (response) => {
        beginEvents(response);
        response.end(messageEvents([messageStart, ...toolBlock(0, 't', 'now', '{}')]));
      },
      { code: 'model-failed', message: 'The answer of "Claude" broke off before it was complete.' },
    ],
    [
      'connection cut half-way',
      async (response) => {
        beginEvents(response);
        await writeInPieces(response, messageEvents([messageStart, ...textBlock(0, 'one')]));
        response.destroy();
      },
      { code: 'model-failed', message: expect.stringContaining('broke off before it was complete (') },
    ],
  ];

  test.each(failures)('%s', async (_what, answer, expected) => {
    const provider = await serveProvider(answer);
    const { text, events } = await chat(await start({ models: [toConfig(provider, claude)] }));
    expect(events.at(-1)).toEqual({ type: 'error', ...expected, hint: expect.any(String) });
    expect(events.some(({ type }) => type === 'tool-call' || type === 'finish')).toBe(false);
    expect(text).not.toContain(key);
  });
});
