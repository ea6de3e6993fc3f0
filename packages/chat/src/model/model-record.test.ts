import { parseRecording } from '@casement/protocol';
import { CasementError, createRecording } from '@casement/protocol/start';
import { describe, expect, test } from 'vitest';
import type { ConversationOptions, ModelEvent } from '../index.js';
import {
  call,
  converse,
  createEcho,
  createModel,
  fail,
  say,
  toTool,
  waitForEnd,
  type Step,
} from '../conversation/conversation.test-support.js';

/** A conversation with a recording, and what is written into it. */
const record = (steps: readonly Step[], options: Partial<ConversationOptions> = {}) => {
  const recording = createRecording({ writer: 'page' });
  const conversation = converse({ model: createModel(...steps), recording, ...options });
  // What a reader of the exported file gets.
  const read = () => parseRecording(recording.toJsonl());
  return { conversation, read, readRaw: () => read().map(({ raw }) => raw) };
};

const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });

describe('what the model was asked and answered', () => {
  test('is written down step by step, each time what is new', async () => {
    const server = createEcho('files', [toTool('read')]);
    const { conversation, read, readRaw } = record(
      [[{ type: 'text', delta: 'I look.' }, ...call('read', '{"n":1}', 'c1')], say('Done.'), say('Bye.')],
      { servers: [server], system: 'Be brief.', limits: { maxTokens: 100 } },
    );
    await conversation.send('go');
    await conversation.send('and now?');
    const common = { model: 'by hand', for: 'conversation' };
    const asked = { type: 'model-request', ...common, tools: ['read'], maxTokens: 100 };
    const answered = { type: 'model-answer', ...common, ms: expect.any(Number) };
    const result = { id: 'c1', name: 'read', content: [{ type: 'text', text: 'files:{"n":1}' }] };
    expect(readRaw()).toEqual([
      { ...asked, step: 1, told: 2, messages: [{ role: 'system', text: 'Be brief.' }, user('go')] },
      {
        ...answered,
        step: 1,
        outcome: 'tool-calls',
        text: 'I look.',
        calls: [{ name: 'read', arguments: { n: 1 } }],
      },
      {
        method: 'tools/call',
        caller: 'model',
        server: 'files',
        tool: 'read',
        toolCallId: 'c1',
        allow: true,
        reason: 'The tool says that it only reads.',
      },
      {
        ...asked,
        step: 2,
        told: 4,
        messages: [
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'I look.' },
              { type: 'tool-call', id: 'c1', name: 'read', arguments: { n: 1 } },
            ],
          },
          { role: 'tool', results: [result] },
        ],
      },
      { ...answered, step: 2, outcome: 'stop', text: 'Done.', calls: [] },
      {
        ...asked,
        step: 3,
        told: 6,
        messages: [{ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }, user('and now?')],
      },
      { ...answered, step: 3, outcome: 'stop', text: 'Bye.', calls: [] },
    ]);
    const [entry, ...others] = read();
    expect(entry).toMatchObject({ writer: 'page', epoch: 0, leg: 'none', dir: 'none', kind: 'lifecycle' });
    expect(entry?.session).toMatch(/^chat-\w+$/);
    expect(others.every(({ session }) => session === entry?.session)).toBe(true);
  });

  test('is said of failures, of an answer that breaks off, and of one that was stopped', async () => {
    const half: ModelEvent[] = [{ type: 'text', delta: 'Ha' }];
    const refused = fail(
      new CasementError('model-refused', 'The key was refused.', { hint: 'Another key.' }),
    );
    const { conversation, readRaw } = record([refused, half, waitForEnd]);
    await conversation.send('go');
    await conversation.retry();
    const turn = conversation.retry();
    await expect.poll(() => readRaw()).toHaveLength(5);
    await conversation.stop();
    await turn;
    expect(readRaw()).toMatchObject([
      { type: 'model-request', step: 1, told: 1, messages: [user('go')] },
      {
        outcome: 'failed',
        text: '',
        failure: { code: 'model-refused', message: 'The key was refused.', hint: 'Another key.' },
      },
      { type: 'model-request', step: 2, told: 1, messages: [user('go')] },
      { outcome: 'failed', text: 'Ha', failure: { code: 'stream-cut' } },
      { type: 'model-request', step: 3, told: 1 },
      { outcome: 'stopped', text: '' },
    ]);
  });

  test('names what an app asks of it', async () => {
    const { conversation, readRaw } = record([say('Blue.')]);
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Which colour?' } }];
    await conversation.createMessage({ messages, maxTokens: 10 });
    expect(readRaw()).toMatchObject([
      {
        type: 'model-request',
        for: 'app',
        step: 1,
        told: 1,
        messages: [user('Which colour?')],
        maxTokens: 10,
      },
      { type: 'model-answer', for: 'app', step: 1, outcome: 'stop', text: 'Blue.' },
    ]);
  });

  test('holds no secrets and not the whole of what is beyond measure', async () => {
    const secret = `sk-${'a1'.repeat(12)}`;
    const { conversation, readRaw } = record([
      [...call('sign-in', `{"password":"hunter2","note":"${secret}"}`, 'c1')],
      say('x'.repeat(200_000)),
    ]);
    await conversation.send(`my key is ${secret}`);
    const text = JSON.stringify(readRaw());
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(secret);
    expect(text).toContain(`[… ${200_000 - 64 * 1024} characters left out]`);
  });
});
