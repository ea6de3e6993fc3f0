import type { CallToolResult, ContentBlock } from '@casement/protocol';
import { describe, expect, test } from 'vitest';
import type { ModelRequest } from '../index.js';
import type { ConversationLimits } from '../conversation-limits.js';
import {
  call,
  converse,
  createEcho,
  createModel,
  say,
  toCalls,
  toTool,
} from '../conversation/conversation.test-support.js';

/** What the model is told after a tool gave each of these results in turn. */
const tellResults = async (
  limits: Partial<ConversationLimits>,
  ...results: readonly CallToolResult['content'][]
): Promise<{ readonly told: ContentBlock[][]; readonly outputs: unknown[] }> => {
  const left = [...results];
  const server = createEcho('files', [toTool('read')], { callTool: () => ({ content: left.shift() ?? [] }) });
  const steps = results.map((_, index) => call('read', '{}', `c${index}`));
  const model = createModel(...steps, say('ok'));
  const conversation = converse({ model, servers: [server], limits });
  await conversation.send('go');
  expect(conversation.getSnapshot().status).toBe('idle');
  return {
    told: toResults(model.requests.at(-1)),
    outputs: toCalls(conversation).map(({ output }) => output?.content),
  };
};

const toResults = (request?: ModelRequest): ContentBlock[][] =>
  request?.messages.flatMap((message) =>
    message.role === 'tool' ? message.results.map(({ content }) => [...content]) : [],
  ) ?? [];

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const image = (length: number): ContentBlock => ({
  type: 'image',
  data: 'A'.repeat(length),
  mimeType: 'image/png',
});

describe('a result beyond measure', () => {
  test('is cut for the model and whole for its app', async () => {
    const resource: ContentBlock = {
      type: 'resource',
      resource: { uri: 'file:///a', text: 'r'.repeat(900) },
    };
    const content = [text('x'.repeat(700)), resource, text('short'), image(4000)];
    const { told, outputs } = await tellResults({ maxResult: 1000 }, content);
    expect(told).toEqual([
      [
        text('x'.repeat(700)),
        {
          type: 'resource',
          resource: { uri: 'file:///a', text: `${'r'.repeat(300)}\n[cut: 600 more characters]` },
        },
        text('short'),
        image(4000),
      ],
    ]);
    expect(outputs).toEqual([content]);
  });

  test('is not cut through a character', async () => {
    const { told } = await tellResults({ maxResult: 301 }, [text('🌍'.repeat(300))]);
    expect(told).toEqual([[text(`${'🌍'.repeat(150)}\n[cut: 299 more characters]`)]]);
  });

  test('leaves what is newer in place of what is older', async () => {
    const pictures = [[image(2000)], [image(2000)], [text('seen'), image(2000)]];
    const { told } = await tellResults({ maxRequest: 5000 }, ...pictures);
    expect(told).toEqual([[text('[image of 2000 characters: left out]')], ...pictures.slice(1)]);
  });

  test('of many millions of characters ends no turn', async () => {
    const { told } = await tellResults({}, [text('x'.repeat(12_000_000))], [image(12_000_000)]);
    expect(JSON.stringify(told).length).toBeLessThan(1_000_000);
  });
});

test('a message of the user beyond measure is cut too', async () => {
  const model = createModel();
  const conversation = converse({ model, limits: { maxRequest: 1000 } });
  await conversation.send('x'.repeat(5000));
  expect(model.requests[0]?.messages).toEqual([
    { role: 'user', content: [text(`${'x'.repeat(1000)}\n[cut: 4000 more characters]`)] },
  ]);
});

test('names a model made up come back to it as names that its provider takes', async () => {
  const madeUp = ['get weather.now!', '', 'x'.repeat(2000)];
  const model = createModel(...madeUp.map((name, index) => call(name, '{}', `c${index}`)), say('ok'));
  const conversation = converse({ model });
  await conversation.send('go');
  const names = model.requests
    .at(-1)
    ?.messages.flatMap((message) => (message.role === 'tool' ? message.results.map(({ name }) => name) : []));
  expect(names).toEqual(['get_weather_now_', 'tool', 'x'.repeat(64)]);
  expect(toCalls(conversation)).toMatchObject(
    madeUp.map((toolName) => ({ toolName, errorCode: 'tool-not-found' })),
  );
});
