import type { ParamsOf, PeerNotification } from '@casement/protocol';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createConsentMemory } from './consent/consent-memory.js';
import type { ConsentAnswer, SamplingRequest, SessionOptions } from './session-options.js';
import type { ModelContext } from './state/app-snapshot.js';
import { createStage, holdTime, initializeParams, settle, until } from './stage.test-support.js';

const text = (value: string) => ({ type: 'text' as const, text: value });

describe('ui/update-model-context', () => {
  const createContexts = async (options: Partial<SessionOptions> = {}) => {
    const told: (ModelContext | undefined)[] = [];
    const stage = createStage({ onModelContext: (context) => told.push(context), ...options });
    await stage.ready();
    let id = 0;
    const update = (params: unknown) => stage.ask(`c${(id += 1)}`, 'ui/update-model-context', params);
    return { stage, told, update, current: () => stage.session.getSnapshot().modelContext };
  };

  verifies(
    ['HOST-064', 'S3-02'],
    'replaces what this app said before, whole, and nothing of another app',
    async () => {
      const one = await createContexts();
      const other = await createContexts();
      await other.update({ structuredContent: { other: true } });
      expect(
        (await one.update({ content: [text('city: Köln')], structuredContent: { a: 1 } })).result,
      ).toEqual({});
      await one.update({ structuredContent: { b: 2 } });
      expect(one.current()).toEqual({ structuredContent: { b: 2 } });
      expect(one.told.at(-1)).toEqual({ structuredContent: { b: 2 } });
      expect(other.current()).toEqual({ structuredContent: { other: true } });
      expect(other.told).toHaveLength(1);
    },
  );

  test('keeps the last of many, tells nothing twice, and is cleared by an empty one', async () => {
    const { told, update, current } = await createContexts();
    for (let turn = 0; turn < 50; turn += 1) await update({ structuredContent: { turn } });
    await update({ structuredContent: { turn: 49 } });
    expect([told.length, current()]).toEqual([50, { structuredContent: { turn: 49 } }]);
    for (const empty of [
      {},
      { content: [] },
      { structuredContent: {} },
      { content: [], structuredContent: {} },
    ]) {
      await update({ content: [text('x')] });
      await update(empty);
      expect([current(), told.at(-1)]).toEqual([undefined, undefined]);
    }
  });

  test('is limited, leaves what was said before, and takes only what the model may be told (B26)', async () => {
    const { told, update, current } = await createContexts();
    await update({ structuredContent: { kept: true } });
    const { error } = await update({ content: [text('x'.repeat(256 * 1024))] });
    expect(error).toMatchObject({ code: -32000, data: { code: 'context-refused' } });
    for (const params of [
      { content: 'text' },
      { content: [{ type: 'secret' }] },
      { structuredContent: [] },
    ]) {
      expect(await update(params)).toHaveProperty('error.code', -32602);
    }
    expect(current()).toEqual({ structuredContent: { kept: true } });
    await update({ role: 'system', content: [text('hi')], secret: 1 });
    expect([current(), told.length]).toEqual([{ content: [text('hi')] }, 2]);
  });

  test('of a document holds until the next one is ready; without a hook there is no such request', async () => {
    const { stage, told, update, current } = await createContexts();
    await update({ structuredContent: { a: 1 } });
    await stage.proxy('loader-ready');
    expect(current()).toEqual({ structuredContent: { a: 1 } });
    await stage.ask('again', 'ui/initialize', initializeParams);
    await stage.send({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    expect([current(), told.at(-1)]).toEqual([undefined, undefined]);

    const bare = createStage();
    await bare.ready();
    expect(await bare.ask(1, 'ui/update-model-context', {})).toHaveProperty('error.code', -32601);
  });
});

describe('sampling/createMessage', () => {
  const answer = { model: 'm', role: 'assistant' as const, content: text('42') };
  const question = { messages: [{ role: 'user', content: text('6 × 7?') }], maxTokens: 100 };

  const createSampling = async (consent: ConsentAnswer = true, options: Partial<SessionOptions> = {}) => {
    const asked: SamplingRequest[] = [];
    const sent: ParamsOf<'sampling/createMessage'>[] = [];
    const stage = createStage({
      consents: createConsentMemory(),
      async onSampling(request) {
        asked.push(request);
        return consent;
      },
      async createMessage(params) {
        sent.push(params);
        return answer;
      },
      ...options,
    });
    await stage.ready();
    let id = 0;
    const sample = (params: unknown) => stage.ask(`s${(id += 1)}`, 'sampling/createMessage', params);
    return { stage, asked, sent, sample };
  };

  verifies(
    ['HOST-082', 'HOST-083'],
    'asks the user, then the embedder’s model, within limits and without the conversation',
    async () => {
      const { stage, asked, sent, sample } = await createSampling();
      const { result } = await sample({
        ...question,
        maxTokens: 1e9,
        modelPreferences: { hints: [{ name: 'big' }] },
        includeContext: 'allServers',
        metadata: { secret: 1 },
      });
      expect(result).toEqual(answer);
      const params = { ...question, maxTokens: 4096, modelPreferences: { hints: [{ name: 'big' }] } };
      expect(sent).toEqual([params]);
      expect(asked).toMatchObject([{ app: { server: 'weather-server' }, params }]);
      expect(stage.session.getSnapshot().hostCapabilities?.sampling).toEqual({});
    },
  );

  verifies('HOST-082', 'does not ask the model when the user says no', async () => {
    const { sent, sample } = await createSampling(false);
    expect((await sample(question)).error).toMatchObject({ code: -32000, data: { code: 'sampling-denied' } });
    expect(sent).toEqual([]);
  });

  verifies('HOST-082', 'is limited in rate, number and size', async () => {
    const { stage, sent, sample } = await createSampling('always', { limits: { maxSamplingPerMinute: 4 } });
    const refused = [
      { ...question, messages: [] },
      { ...question, maxTokens: 0 },
      { ...question, tools: [] },
      { ...question, toolChoice: { mode: 'auto' } },
      { ...question, systemPrompt: 'x'.repeat(1024 * 1024) },
    ];
    for (const params of refused) {
      expect((await sample(params)).error).toMatchObject({
        code: -32000,
        data: { code: 'sampling-refused' },
      });
    }
    for (const params of [{}, { ...question, maxTokens: 'many' }, { ...question, messages: 'hi' }]) {
      expect(await sample(params)).toHaveProperty('error.code', -32602);
    }
    for (let turn = 0; turn < 4; turn += 1) expect(await sample(question)).toHaveProperty('result', answer);
    expect(await sample(question)).toHaveProperty('error.data.code', 'rate-limited');
    expect([sent.length, stage.kinds('decision').length > 4]).toEqual([4, true]);
  });

  verifies('HOST-083', 'takes no tools from an app, and says what to do instead', async () => {
    const { stage, sent, sample } = await createSampling('always');
    const { error } = await sample({ ...question, tools: [{ name: 'x', inputSchema: { type: 'object' } }] });
    expect(error?.data).toEqual({ code: 'sampling-refused', hint: 'Leave tools out.' });
    expect(error?.message).toContain('The model gets no tools from an app.');
    expect(sent).toEqual([]);
    expect(stage.session.getSnapshot().hostCapabilities?.sampling).not.toHaveProperty('tools');
  });

  test('happens one at a time, and ends when the app takes it back or goes', async () => {
    holdTime();
    const signals: AbortSignal[] = [];
    const { stage, sample } = await createSampling('always', {
      createMessage: (_params, { signal }) => {
        signals.push(signal);
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('x'))),
        );
      },
      limits: { teardownMs: 5 },
    });
    const request = { jsonrpc: '2.0', method: 'sampling/createMessage', params: question };
    await stage.send({ ...request, id: 1 });
    expect(await sample(question)).toHaveProperty('error.data.code', 'rate-limited');
    await stage.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    await stage.send({ ...request, id: 2 });
    const closed = stage.session.close();
    await vi.advanceTimersByTimeAsync(5);
    await closed;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test('fails without the words of a model that failed, and needs both hooks', async () => {
    const { sample } = await createSampling(true, {
      createMessage: async () => {
        throw new Error('invalid api key sk-1');
      },
    });
    const { error } = await sample(question);
    expect(error).toMatchObject({ code: -32000, data: { code: 'sampling-refused' } });
    expect(JSON.stringify(error)).not.toContain('sk-1');
    for (const hooks of [{ onSampling: async () => true }, { createMessage: async () => answer }]) {
      const stage = createStage(hooks);
      await stage.ready();
      expect(await stage.ask(1, 'sampling/createMessage', question)).toHaveProperty('error.code', -32601);
      expect(stage.session.getSnapshot().hostCapabilities).not.toHaveProperty('sampling');
    }
  });
});

describe('ui/notifications/request-teardown', () => {
  const wish = { jsonrpc: '2.0', method: 'ui/notifications/request-teardown', params: {} };

  verifies(['HOST-090', 'HOST-091'], 'closes the app after it was asked and has answered', async () => {
    const stage = createStage();
    await stage.ready();
    let finish = (): void => undefined;
    const heard: string[] = [];
    stage.createApp({
      'ui/resource-teardown': () => {
        heard.push('teardown');
        return new Promise((resolve) => (finish = () => resolve({})));
      },
    });
    await stage.send(wish);
    await until(() => expect(heard).toEqual(['teardown']));
    expect([stage.session.getSnapshot().status, stage.surface.frames[0]?.isThere]).toEqual([
      'tearing-down',
      true,
    ]);
    finish();
    await until(() => expect(stage.session.getSnapshot().status).toBe('closed'));
    expect(stage.surface.frames[0]?.isThere).toBe(false);
  });

  verifies(
    'HOST-089',
    'is the embedder’s to grant, not asked in a burst, and nothing before initialized',
    async () => {
      let asked = 0;
      const stage = createStage({
        onRequestTeardown: async () => {
          asked += 1;
          return false;
        },
      });
      await stage.handOver();
      await stage.send(wish);
      expect(asked).toBe(0);
      await stage.ask('init', 'ui/initialize', initializeParams);
      await stage.send({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
      for (let burst = 0; burst < 30; burst += 1) await stage.send(wish);
      expect([asked, stage.session.getSnapshot().status]).toEqual([3, 'ready']);
      expect(stage.kinds('lifecycle')).toContainEqual({ type: 'request-teardown', granted: false });
    },
  );

  test('is not granted by a hook that throws', async () => {
    const stage = createStage({
      onRequestTeardown: () => {
        throw new Error('no');
      },
    });
    await stage.ready();
    await stage.send(wish);
    await settle();
    expect(stage.session.getSnapshot().status).toBe('ready');
  });
});

test('notifications an app may send change nothing they are not meant for', async () => {
  const stage = createStage();
  await stage.ready();
  const before = stage.session.getSnapshot();
  const heard: PeerNotification[] = [];
  stage.createApp({}, (notification) => heard.push(notification));
  for (const [method, params] of [
    ['notifications/progress', { progressToken: 'app-tool-1', progress: 1 }],
    ['notifications/tools/list_changed', {}],
    ['notifications/cancelled', { requestId: 99 }],
  ] as const) {
    await stage.send({ jsonrpc: '2.0', method, params });
  }
  expect([stage.session.getSnapshot(), heard]).toEqual([before, []]);
});
