import { fileURLToPath } from 'node:url';
import type { ServerPort } from '@casement/protocol/ports';
import { openGatewayPort } from '@casement/protocol/ports';
import type { ChatModel, Conversation, ModelRequest } from '@casement/chat';
import type { DynamicToolPart } from '../packages/chat/src/message/message.js';
import { createConversation, createScriptedModel, toCallItem } from '@casement/chat';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  api,
  callTool,
  portOf,
  readText,
  start,
  stdio,
} from '../packages/gateway/src/gateway.test-support.js';
import { verifies } from './verifies.js';

const weather = (name = 'weather') =>
  stdio(name, [], { args: [fileURLToPath(import.meta.resolve('@casement/example-weather-server'))] });

/** A conversation with the scripted model and real servers behind a real gateway. */
const converse = async (servers = [weather()], script?: Parameters<typeof createScriptedModel>[0]) => {
  const gateway = await start({ servers });
  const url = `http://127.0.0.1:${portOf(gateway)}`;
  const open = (server: string): Promise<ServerPort> =>
    openGatewayPort({ url, token: gateway.token, server });
  const ports = await Promise.all(servers.map(({ name }) => open(name)));
  const scripted = createScriptedModel({ pace: 0, ...script });
  const requests: ModelRequest[] = [];
  const model: ChatModel = {
    name: scripted.name,
    stream(request, options) {
      requests.push(request);
      return scripted.stream(request, options);
    },
  };
  const conversation = createConversation({
    model,
    servers: ports,
    // Not about questions: the servers of these tests say little of their tools.
    toolCallPolicy: { toolCalls: 'run' },
  });
  onTestFinished(() => conversation.close());
  return { gateway, conversation, requests };
};

const toCalls = (conversation: Conversation): DynamicToolPart[] =>
  conversation
    .getSnapshot()
    .messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'dynamic-tool'));

const toAnswer = (conversation: Conversation): string => {
  const part = conversation.getSnapshot().messages.at(-1)?.parts.at(-1);
  return part && 'text' in part ? part.text : '';
};

describe('a conversation with a real server', () => {
  verifies(['HOST-021', 'HOST-076'], 'offers what is for the model, runs it and shows its app', async () => {
    const { conversation, requests } = await converse();
    const written = new Set<string>();
    conversation.subscribe(() => {
      for (const { inputText = '' } of toCalls(conversation)) written.add(inputText);
    });
    await conversation.send('/weather_dashboard {"city": "Kyoto"}');
    expect(requests[0]?.tools.map(({ name }) => name)).toEqual(['weather_dashboard', 'refresh_weather']);
    // The arguments grew, so that an app can paint while they are written.
    expect(written.size).toBeGreaterThan(2);
    const [called] = toCalls(conversation);
    expect(called).toMatchObject({
      state: 'output-available',
      input: { city: 'Kyoto' },
      source: { kind: 'server', server: 'weather', tool: 'weather_dashboard' },
      output: { structuredContent: { city: 'Kyoto' } },
    });
    expect(called && toCallItem(called)).toMatchObject({
      title: 'Weather dashboard',
      server: 'weather',
      tool_call_id: called?.toolCallId,
    });
    expect(toAnswer(conversation)).toContain('Kyoto');
    const results = requests[1]?.messages.at(-1);
    expect(results).toMatchObject({ role: 'tool', results: [{ content: [{ type: 'text' }] }] });
    expect(JSON.stringify(results)).not.toContain('structuredContent');
    expect(conversation.getSnapshot()).toMatchObject({ status: 'idle', problems: [], failure: undefined });
  });

  test('tells two servers of the same tools apart', async () => {
    const { conversation } = await converse([weather('east'), weather('west')]);
    await conversation.send('/west__refresh_weather {"city": "Nairobi"}');
    expect(toCalls(conversation)).toMatchObject([
      { state: 'output-available', source: { server: 'west', tool: 'refresh_weather' } },
    ]);
    expect(conversation.getSnapshot().clashes.map(({ tool }) => tool)).toEqual([
      'weather_dashboard',
      'refresh_weather',
    ]);
  });

  test('names mistakes of the model, and the tool its own, and goes on', async () => {
    const { conversation } = await converse([weather()], {
      script: [{ calls: [{ tool: 'list_cities' }, { tool: 'made_up' }] }, { text: 'Sorry.' }],
    });
    await conversation.send('go');
    // Not for the model: as if it were not there.
    expect(toCalls(conversation)).toMatchObject([
      { state: 'output-error', errorCode: 'tool-not-found' },
      { state: 'output-error', errorCode: 'tool-not-found' },
    ]);
    await conversation.send('/weather_dashboard {"city": ');
    expect(toCalls(conversation).at(-1)).toMatchObject({ errorCode: 'input-malformed' });
    await conversation.send('/weather_dashboard {"city": "Atlantis"}');
    expect(toCalls(conversation).at(-1)).toMatchObject({
      state: 'output-available',
      output: { isError: true },
    });
    await conversation.send('/weather_dashboard {"city": "Lisbon"}');
    expect(toCalls(conversation).at(-1)).toMatchObject({ output: { structuredContent: { city: 'Lisbon' } } });
    expect(conversation.getSnapshot().status).toBe('idle');
  });

  test('survives the end of its server and has its tools back after a restart', async () => {
    const { gateway, conversation } = await converse([stdio('fragile'), weather()]);
    await conversation.send('/crash');
    expect(toCalls(conversation)).toMatchObject([{ state: 'output-error', errorCode: 'server-exited' }]);
    expect(conversation.getSnapshot().status).toBe('idle');
    await vi.waitFor(() =>
      expect(conversation.getSnapshot().problems).toMatchObject([{ server: 'fragile', code: 'server-lost' }]),
    );
    await conversation.send('/weather_dashboard');
    expect(toCalls(conversation).at(-1)).toMatchObject({ state: 'output-available' });
    await api(gateway, '/servers/fragile/restart', {});
    await conversation.send('/echo {"a": 1}');
    expect(toCalls(conversation).at(-1)).toMatchObject({
      state: 'output-available',
      source: { server: 'fragile' },
    });
    expect(conversation.getSnapshot().problems).toEqual([]);
  });

  test('stopped in a call that hangs tells the server and can go on', async () => {
    const { gateway, conversation } = await converse([stdio('fragile')]);
    const seen = async (): Promise<unknown> => readText(await callTool(gateway, 'fragile', 'seen'));
    const turn = conversation.send('/hang');
    await vi.waitFor(async () =>
      expect(await seen()).toMatchObject({ calls: expect.arrayContaining(['hang']) as unknown }),
    );
    await conversation.stop();
    await turn;
    expect(toCalls(conversation)).toMatchObject([{ state: 'cancelled' }]);
    await vi.waitFor(async () => expect(await seen()).toMatchObject({ cancelled: [expect.anything()] }));
    await conversation.send('/echo {"a": 1}');
    expect(toCalls(conversation).at(-1)).toMatchObject({ state: 'output-available' });
  });
});
