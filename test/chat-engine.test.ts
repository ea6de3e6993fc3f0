import type { ChatEvent } from '@casement/gateway';
import { createGatewayModel, type ModelEvent, type ModelRequest } from '@casement/chat';
import { expect, expectTypeOf, test } from 'vitest';
import { portOf, start, waitFor } from '../packages/gateway/src/gateway.test-support.js';
import {
  beginEvents,
  completionChunks,
  key,
  serveProvider,
  toConfig,
  toolDelta,
  writeInPieces,
} from '../packages/gateway/src/chat/model-servers.test-support.js';

const request: ModelRequest = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Weather?' }] }],
  tools: [{ name: 'forecast', inputSchema: { type: 'object' } }],
};

test('the page and the gateway mean the same by an event', () => {
  expectTypeOf<Exclude<ChatEvent, { type: 'error' }>>().toExtend<ModelEvent>();
  expectTypeOf<ModelEvent>().toExtend<Readonly<ChatEvent>>();
});

test('a step goes from the page through the gateway to the provider and back', async () => {
  const provider = await serveProvider(async (response) => {
    beginEvents(response);
    const deltas = [
      { content: 'I lo' },
      { content: 'ok.' },
      toolDelta(0, '{', { id: 'a', name: 'forecast' }),
    ];
    await writeInPieces(response, completionChunks([...deltas, toolDelta(0, '}')], 'tool_calls'), 5);
    response.end();
  });
  const gateway = await start({ models: [toConfig(provider)] });
  const model = createGatewayModel({
    url: `http://127.0.0.1:${portOf(gateway)}`,
    token: gateway.token,
    model: 'm',
  });
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, { signal: new AbortController().signal }))
    events.push(event);
  expect(events).toEqual([
    { type: 'text', delta: 'I lo' },
    { type: 'text', delta: 'ok.' },
    { type: 'tool-input-start', id: 'a', name: 'forecast' },
    { type: 'tool-input-delta', id: 'a', delta: '{' },
    { type: 'tool-input-delta', id: 'a', delta: '}' },
    { type: 'tool-call', id: 'a', name: 'forecast', text: '{}' },
    { type: 'finish', reason: 'tool-calls' },
  ]);
  expect(JSON.stringify(events)).not.toContain(key);
});

test('an abort on the page reaches the provider', async () => {
  const provider = await serveProvider((response) => {
    beginEvents(response);
    response.write(completionChunks([{ content: 'one' }]));
  });
  const gateway = await start({ models: [toConfig(provider)] });
  const url = `http://127.0.0.1:${portOf(gateway)}`;
  const model = createGatewayModel({ url, token: gateway.token, model: 'm' });
  const controller = new AbortController();
  for await (const event of model.stream(request, { signal: controller.signal })) {
    expect(event).toEqual({ type: 'text', delta: 'one' });
    controller.abort();
  }
  await waitFor(() => provider.calls[0]?.dropped);
});
