import type { ParamsOf } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import type { MountedApp } from '@casement/host';
import type { ModelEvent } from '../index.js';
import type { ConversationLimits } from '../conversation-limits.js';
import {
  call,
  converse,
  createApp,
  createEcho,
  createModel,
  fail,
  hang,
  say,
  toAppTool,
  toTexts,
  toTool,
  waitForEnd,
  type Step,
} from '../conversation/conversation.test-support.js';

/** What an app may write goes beyond what the type names. */
type Wish = Partial<ParamsOf<'sampling/createMessage'>> & Record<string, unknown>;

const question = (more: Wish = {}): ParamsOf<'sampling/createMessage'> => ({
  messages: [{ role: 'user', content: { type: 'text', text: 'Capital of Norway?' } }],
  maxTokens: 100,
  ...more,
});

const withModel = (steps: readonly Step[], limits: Partial<ConversationLimits> = {}) => {
  const model = createModel(...steps);
  return { model, conversation: converse({ model, limits, system: 'Be brief.' }) };
};

const codeOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'answered',
    (error: unknown) => (error instanceof CasementError ? error.code : error),
  );

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a question of an app to the model', () => {
  verifies(
    'HOST-082',
    'is answered by the model of the user, with the words of the app alone and no tools',
    async () => {
      const server = createEcho('weather', [toTool('look')]);
      const model = createModel(say('Hello.'), [{ type: 'text', delta: 'Os' }, ...say('lo')]);
      const conversation = converse({ model, servers: [server], system: 'Be brief.' });
      await conversation.send('hi');
      const before = conversation.getSnapshot();
      const result = await conversation.createMessage(
        question({
          systemPrompt: 'You know maps.',
          includeContext: 'allServers',
          modelPreferences: { hints: [{ name: 'another' }] },
          messages: [
            { role: 'user', content: [{ type: 'text', text: 'a', _meta: { x: 1 } }] },
            { role: 'assistant', content: { type: 'text', text: 'b' } },
            { role: 'user', content: { type: 'image', data: 'AA==', mimeType: 'image/png' } },
          ],
        }),
      );
      expect(result).toEqual({
        model: 'by hand',
        role: 'assistant',
        content: { type: 'text', text: 'Oslo' },
        stopReason: 'endTurn',
      });
      expect(model.requests[1]).toEqual({
        messages: [
          { role: 'system', text: 'You know maps.' },
          { role: 'user', content: [{ type: 'text', text: 'a' }] },
          { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
          { role: 'user', content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] },
        ],
        tools: [],
        maxTokens: 100,
      });
      expect(conversation.getSnapshot()).toBe(before);
    },
  );

  verifies('HOST-082', 'gets no more tokens than the limit, and says when they did not do', async () => {
    const cut: ModelEvent[] = [
      { type: 'text', delta: 'Os' },
      { type: 'finish', reason: 'length' },
    ];
    const { model, conversation } = withModel([cut, say('b')], { maxSamplingTokens: 50 });
    expect(await conversation.createMessage(question({ maxTokens: 1e9 }))).toMatchObject({
      stopReason: 'maxTokens',
    });
    await conversation.createMessage(question({ maxTokens: 7.9 }));
    expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([50, 7]);
  });

  verifies('HOST-082', 'is one at a time, and seldom', async () => {
    const { model, conversation } = withModel([waitForEnd, say('b'), say('c'), say('d')], {
      maxSamplingPerMinute: 2,
    });
    const taken = new AbortController();
    const first = codeOf(conversation.createMessage(question(), { signal: taken.signal }));
    expect(await codeOf(conversation.createMessage(question()))).toBe('rate-limited');
    taken.abort();
    expect(await first).toBe('cancelled');
    expect(await codeOf(conversation.createMessage(question()))).toBe('answered');
    expect(await codeOf(conversation.createMessage(question()))).toBe('rate-limited');
    expect(model.requests).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await codeOf(conversation.createMessage(question()))).toBe('answered');
  });

  test('of a tool the model called is answered within the turn', async () => {
    const model = createModel(call('app_x__think', '{}'), say('inner'), say('outer'));
    const conversation = converse({ model, approve: () => 'allow' });
    const ask = (): ReturnType<MountedApp['callAppTool']> =>
      conversation.createMessage(question()).then(({ content }) => ({
        content: [{ type: 'text', text: JSON.stringify(content) }],
      }));
    conversation.registerApp(createApp('one', { appTools: [toAppTool('think')] }, ask).app);
    await conversation.send('go');
    expect(toTexts(conversation)).toEqual(['user: go', 'assistant: outer']);
    expect(JSON.stringify(model.requests[2])).toContain('inner');
  });

  test.each([
    ['no message', { messages: [] }],
    ['no tokens', { maxTokens: 0 }],
    ['tokens that are no number', { maxTokens: Number.NaN }],
    ['tools', { tools: [] }],
    ['a choice of tools', { toolChoice: { mode: 'auto' } }],
    ['the result of a tool', { messages: [{ role: 'user', content: { type: 'tool_result' } }] }],
    [
      'a picture by the model',
      { messages: [{ role: 'assistant', content: { type: 'image', data: '', mimeType: '' } }] },
    ],
  ] satisfies [string, Wish][])('with %s is refused', async (_, more) => {
    const { model, conversation } = withModel([]);
    expect(await codeOf(conversation.createMessage(question(more)))).toBe('sampling-refused');
    expect(model.requests).toEqual([]);
  });

  test.each([
    ['fails', fail(new CasementError('model-refused', 'The key of account 12 was refused.'))],
    ['breaks off', [{ type: 'text', delta: 'Os' }]],
    ['calls a tool it does not have', call('look', '{}')],
    ['does not end', say('x'.repeat(11))],
  ] satisfies [string, Step][])(
    'that the model %s is refused without its words, and the next is taken',
    async (_, step) => {
      const { conversation } = withModel([step, say('ok')], { maxText: 10 });
      const error: unknown = await conversation.createMessage(question()).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'sampling-refused' });
      expect(JSON.stringify(error)).not.toContain('account 12');
      expect(await codeOf(conversation.createMessage(question()))).toBe('answered');
    },
  );

  test('ends with the silence of the model, and with the conversation', async () => {
    const { conversation } = withModel([hang, hang], { silenceMs: 1000 });
    const silent = codeOf(conversation.createMessage(question()));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await silent).toBe('sampling-refused');
    const closed = codeOf(conversation.createMessage(question()));
    // The model is asked by then.
    await vi.advanceTimersByTimeAsync(0);
    conversation.close();
    expect(await closed).toBe('cancelled');
    expect(await codeOf(conversation.createMessage(question()))).toBe('session-closed');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a model that says nothing', () => {
  /** Says one word after the other, each after a wait. */
  const speak = (waits: readonly number[]): Step =>
    async function* () {
      for (const ms of waits) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        yield { type: 'text', delta: '.' };
      }
      yield { type: 'finish', reason: 'stop' };
    };

  test('is let go of by name and its request ended; trying again asks anew', async () => {
    let ended: AbortSignal | undefined;
    const model = createModel((request, options) => {
      ended = options.signal;
      return hang(request, options);
    }, say('Back.'));
    const conversation = converse({ model, limits: { silenceMs: 1000 } });
    const turn = conversation.send('go');
    await vi.advanceTimersByTimeAsync(999);
    expect(conversation.getSnapshot().status).toBe('running');
    await vi.advanceTimersByTimeAsync(1);
    await turn;
    expect(conversation.getSnapshot()).toMatchObject({ status: 'failed', failure: { code: 'model-silent' } });
    expect(ended?.aborted).toBe(true);
    await conversation.retry();
    expect(toTexts(conversation)).toEqual(['user: go', 'assistant: Back.']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is heard as long as each word comes in time, and not after the one that does not', async () => {
    const { conversation } = withModel([speak([900, 900, 900]), speak([900, 1100])], { silenceMs: 1000 });
    for (const last of ['idle', 'failed']) {
      const turn = conversation.send('go');
      await vi.advanceTimersByTimeAsync(3000);
      await turn;
      expect(conversation.getSnapshot().status).toBe(last);
    }
  });

  test('and is stopped has not failed', async () => {
    const { conversation } = withModel([hang], { silenceMs: 1000 });
    void conversation.send('go');
    await vi.advanceTimersByTimeAsync(500);
    await conversation.stop();
    await vi.advanceTimersByTimeAsync(2000);
    expect(conversation.getSnapshot()).toMatchObject({ status: 'idle', failure: undefined });
  });
});
