import { join } from 'node:path';
import {
  createClientPort,
  createGatewayEvents,
  createGatewayRequests,
  createGatewayPort,
} from '@casement/protocol/ports';
import type { ServerPort } from '@casement/protocol/ports';
import type { ChatModel, Conversation, ModelEvent } from '@casement/chat';
import type { DynamicToolPart } from '../packages/chat/src/message/message.js';
import { createConversation } from '@casement/chat';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { portOf, start, stdio } from '../packages/gateway/src/gateway.test-support.js';

const script = join(import.meta.dirname, '../e2e/support/sdk-task-server.mjs');

/** The server behind a gateway, as the chat of a page reaches it. */
const behindGateway = async (): Promise<ServerPort> => {
  const gateway = await start({ servers: [stdio('renderer', [], { args: [script] })] });
  const link = createGatewayRequests({ url: `http://127.0.0.1:${portOf(gateway)}`, token: gateway.token });
  const [summary] = gateway.servers();
  if (!summary) throw new Error('There is no server.');
  return createGatewayPort(link, createGatewayEvents(link), summary);
};

/** The server as a page with a client of its own reaches it. */
const byClient = async (): Promise<ServerPort> => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [script] }));
  onTestFinished(() => client.close());
  return createClientPort({ name: 'renderer', client });
};

const toModel = (args: object): ChatModel => {
  const steps: ModelEvent[][] = [
    [
      { type: 'tool-call', id: 'c', name: 'render', text: JSON.stringify(args) },
      { type: 'finish', reason: 'tool-calls' },
    ],
    [{ type: 'finish', reason: 'stop' }],
  ];
  return {
    name: 'by hand',
    async *stream() {
      yield* steps.shift() ?? [];
    },
  };
};

const toCall = (conversation: Conversation): DynamicToolPart | undefined =>
  conversation
    .getSnapshot()
    .messages.flatMap(({ parts }) => parts)
    .find((part): part is DynamicToolPart => part.type === 'dynamic-tool');

const readStates = async (port: ServerPort): Promise<unknown> =>
  (await port.callTool({ name: 'states', arguments: {} }, { caller: 'model' })).content;

const text = (words: string) => [{ type: 'text', text: words }];

describe.each([
  ['behind the gateway', behindGateway],
  ['by a client of the page', byClient],
])('a tool that runs as a task only, %s', (_way, open) => {
  const converse = (port: ServerPort, args: object, taskMs?: number): Conversation => {
    const limits = taskMs === undefined ? {} : { taskMs };
    const conversation = createConversation({ model: toModel(args), servers: [port], limits });
    onTestFinished(() => conversation.close());
    return conversation;
  };

  test('is called by the model as one, and its outcome comes back', async () => {
    const port = await open();
    const plain = { name: 'render', arguments: { film: 'a', seconds: 0 } };
    expect(await port.callTool(plain, { caller: 'model' })).toMatchObject({ isError: true });
    const conversation = converse(port, { film: 'Metropolis', seconds: 0.3 });
    await conversation.send('go');
    expect(toCall(conversation)).toMatchObject({
      state: 'output-available',
      output: { content: text('Rendered Metropolis') },
    });
    expect(await readStates(port)).toEqual(text('completed'));
  });

  test('that fails says so', async () => {
    const conversation = converse(await open(), { film: 'broken', seconds: 0 });
    await conversation.send('go');
    expect(toCall(conversation)).toMatchObject({ output: { content: text('No such film'), isError: true } });
  });

  test('is cancelled at the server when the user stops the turn', async () => {
    const port = await open();
    const conversation = converse(port, { film: 'Napoléon', seconds: 300 });
    const turn = conversation.send('go');
    await vi.waitFor(async () => expect(await readStates(port)).toEqual(text('working')), 10_000);
    await conversation.stop();
    await turn;
    expect(toCall(conversation)?.state).toBe('cancelled');
    await vi.waitFor(async () => expect(await readStates(port)).toEqual(text('cancelled')), 10_000);
  });

  test('is cancelled when the user stops before the server named the task', async () => {
    const port = await open();
    const conversation = converse(
      {
        ...port,
        callTool: async (params, options) => {
          const answer = await port.callTool(params, options);
          await conversation.stop();
          return answer;
        },
      },
      { film: 'Napoléon', seconds: 300 },
    );
    await conversation.send('go');
    await vi.waitFor(async () => expect(await readStates(port)).toEqual(text('cancelled')), 10_000);
  });

  test('that takes too long is cancelled and named', async () => {
    const port = await open();
    const conversation = converse(port, { film: 'Sátántangó', seconds: 300 }, 300);
    await conversation.send('go');
    expect(toCall(conversation)).toMatchObject({ state: 'output-error', errorCode: 'peer-timeout' });
    await vi.waitFor(async () => expect(await readStates(port)).not.toEqual(text('working')), 10_000);
  });
});
