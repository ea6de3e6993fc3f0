import { describe, expect, test } from 'vitest';
import { start, waitFor } from '../gateway.test-support.js';
import {
  beginChat,
  beginEvents,
  chat,
  completionChunks,
  conversation,
  hello,
  key,
  pixel,
  serveProvider,
  toConfig,
  toKeylessConfig,
  toolDelta,
  weather,
  writeInPieces,
} from './model-servers.test-support.js';

describe('a model of an OpenAI-compatible server', () => {
  test('speaks in small deltas, and its calls come back to the page as it wrote them', async () => {
    const provider = await serveProvider(async (response) => {
      beginEvents(response);
      await writeInPieces(
        response,
        completionChunks(
          [
            { role: 'assistant', content: '' },
            { content: 'Grüß' },
            { content: 'e 🌍' },
            toolDelta(0, '', { id: 'call_a', name: 'weather__forecast' }),
            toolDelta(0, '{"ci'),
            toolDelta(0, 'ty": "Zü'),
            toolDelta(0, 'rich"'),
            toolDelta(0, ' }'),
            toolDelta(1, '{"city', { id: 'call_b', name: 'no_such_tool' }),
            toolDelta(1, '":'),
          ],
          'tool_calls',
        ),
      );
      response.end();
    });
    const gateway = await start({ models: [toConfig(provider)] });
    const { status, type, events } = await chat(gateway, { ...hello, tools: [weather] });
    expect(status).toBe(200);
    expect(type).toBe('application/x-ndjson; charset=utf-8');
    expect(events).toEqual([
      { type: 'text', delta: 'Grüß' },
      { type: 'text', delta: 'e 🌍' },
      { type: 'tool-input-start', id: 'call_a', name: 'weather__forecast' },
      { type: 'tool-input-delta', id: 'call_a', delta: '{"ci' },
      { type: 'tool-input-delta', id: 'call_a', delta: 'ty": "Zü' },
      { type: 'tool-input-delta', id: 'call_a', delta: 'rich"' },
      { type: 'tool-input-delta', id: 'call_a', delta: ' }' },
      { type: 'tool-input-start', id: 'call_b', name: 'no_such_tool' },
      { type: 'tool-input-delta', id: 'call_b', delta: '{"city' },
      { type: 'tool-input-delta', id: 'call_b', delta: '":' },
      { type: 'tool-call', id: 'call_a', name: 'weather__forecast', text: '{"city": "Zürich" }' },
      { type: 'tool-call', id: 'call_b', name: 'no_such_tool', text: '{"city":' },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  test('is told the messages, results and tools, with the system in front and no picture as letters', async () => {
    const provider = await serveProvider((response) => {
      beginEvents(response);
      response.end(completionChunks([{ content: 'ok' }], 'stop'));
    });
    const gateway = await start({ models: [toConfig(provider)] });
    const { events } = await chat(gateway, conversation);
    expect(events).toEqual([
      { type: 'text', delta: 'ok' },
      { type: 'finish', reason: 'stop' },
    ]);
    const [call] = provider.calls;
    expect(call?.url).toBe('/v1/chat/completions');
    expect(call?.headers.authorization).toBe(`Bearer ${key}`);
    expect(call?.body).toEqual({
      model: 'tiny',
      stream: true,
      max_tokens: 300,
      tool_choice: 'auto',
      tools: [
        {
          type: 'function',
          function: {
            name: 'weather__forecast',
            description: 'Tells the weather',
            parameters: weather.inputSchema,
          },
        },
      ],
      messages: [
        { role: 'system', content: 'Be brief.\n\nThe app shows Bern.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Weather in Zürich?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
          ],
        },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [
            {
              id: 'c1',
              type: 'function',
              function: { name: 'weather__forecast', arguments: '{"city":"Zürich"}' },
            },
            { id: 'c2', type: 'function', function: { name: 'weather__forecast', arguments: '{}' } },
          ],
        },
        {
          role: 'tool',
          tool_call_id: 'c1',
          content: 'Sunny\n[image, image/png, 1 KB: not shown to the model]',
        },
        { role: 'tool', tool_call_id: 'c2', content: 'No city' },
      ],
    });
  });

  test('is asked without a key where none is needed', async () => {
    const provider = await serveProvider((response) => {
      beginEvents(response);
      response.end(completionChunks([{ content: 'hi' }], 'length'));
    });
    const { events } = await chat(await start({ models: [toKeylessConfig(provider, 'openai-compatible')] }));
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'length' });
    expect(provider.calls[0]?.headers.authorization).toBeUndefined();
  });

  test('never makes the gateway fetch what a block only calls a picture', async () => {
    const bait = await serveProvider((response) => {
      response.end();
    });
    const provider = await serveProvider((response) => {
      beginEvents(response);
      response.end(completionChunks([{ content: 'hi' }], 'stop'));
    });
    const content = [
      { type: 'image', data: bait.url, mimeType: 'image/png' },
      { type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'ui://a', name: 'A', description: 'an app' },
      { type: 'resource', resource: { uri: 'file:///n.txt', text: 'note' } },
      { type: 'resource', resource: { uri: 'file:///n.bin', blob: 'AAAA' } },
    ];
    await chat(await start({ models: [toConfig(provider)] }), {
      ...hello,
      messages: [{ role: 'user', content }],
    });
    expect(bait.calls).toEqual([]);
    expect(provider.calls[0]?.body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: '[image, image/png, 1 KB: not shown to the model]' },
          { type: 'text', text: '[image, image/svg+xml, 1 KB: not shown to the model]' },
          { type: 'text', text: '[audio, audio/wav, 1 KB: not shown to the model]' },
          { type: 'text', text: '[resource ui://a: A, an app]' },
          { type: 'text', text: '[resource file:///n.txt]\nnote' },
          { type: 'text', text: '[resource file:///n.bin, unknown type, 1 KB: not shown to the model]' },
        ],
      },
    ]);
  });

  test('hears of it when the page goes away', async () => {
    const provider = await serveProvider((response) => {
      beginEvents(response);
      response.write(completionChunks([{ content: 'one' }]));
    });
    const gateway = await start({ models: [toConfig(provider)] });
    let text = '';
    const page = beginChat(gateway, (chunk) => (text += chunk));
    await waitFor(() => text.includes('one'));
    expect(provider.calls[0]?.dropped).toBe(false);
    page.leave();
    await waitFor(() => provider.calls[0]?.dropped);
  });

  test('hears of it when the page goes away before the first word', async () => {
    const provider = await serveProvider(() => undefined);
    const page = beginChat(await start({ models: [toConfig(provider)] }), () => undefined);
    await waitFor(() => provider.calls.length === 1);
    page.leave();
    await waitFor(() => provider.calls[0]?.dropped);
  });
});
