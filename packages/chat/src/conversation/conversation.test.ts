import { CasementError } from '@casement/protocol/start';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import type { ModelEvent } from '../index.js';
import {
  call,
  converse,
  createEcho,
  createModel,
  fail,
  hang,
  say,
  waitForEnd,
  toCalls,
  toTexts,
  toTool,
} from './conversation.test-support.js';

describe('a turn', () => {
  test('is the question and the answer as it grows', async () => {
    const conversation = converse({
      system: 'Be brief.',
      model: createModel([{ type: 'text', delta: 'Hel' }, ...say('lo')]),
    });
    const seen = new Set<string>();
    conversation.subscribe(() => seen.add(toTexts(conversation).join('|')));
    await conversation.send('hi');
    expect([...seen]).toEqual(['', 'user: hi', 'user: hi|assistant: Hel', 'user: hi|assistant: Hello']);
    expect(conversation.getSnapshot()).toMatchObject({ status: 'idle', messages: [{}, { finish: 'stop' }] });
    expect(conversation.toModelRequest('and now?').messages).toEqual([
      { role: 'system', text: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
      { role: 'user', content: [{ type: 'text', text: 'and now?' }] },
    ]);
  });

  test('with a call runs the tool for the model and lets it speak again', async () => {
    const port = createEcho('weather', [toTool('look')]);
    const model = createModel(
      [
        { type: 'text', delta: 'Looking.' },
        { type: 'tool-input-start', id: 'c1', name: 'look' },
        { type: 'tool-input-delta', id: 'c1', delta: '{"city"' },
        { type: 'tool-input-delta', id: 'c1', delta: ':"Oslo"}' },
        { type: 'tool-call', id: 'c1', name: 'look', text: '{"city":"Oslo"}' },
        { type: 'finish', reason: 'tool-calls' },
      ],
      say('Rain.'),
    );
    const conversation = converse({ model, servers: [port] });
    const seen = new Set<string>();
    conversation.subscribe(() => {
      for (const { state, inputText } of toCalls(conversation)) seen.add(`${state} ${inputText}`);
    });
    await conversation.send('weather?');
    expect([...seen]).toEqual([
      'input-streaming ',
      'input-streaming {"city"',
      'input-streaming {"city":"Oslo"}',
      'input-available {"city":"Oslo"}',
      'output-available {"city":"Oslo"}',
    ]);
    expect(port.calls).toEqual([{ name: 'look', arguments: { city: 'Oslo' }, caller: 'model' }]);
    expect(toCalls(conversation)).toMatchObject([
      {
        toolName: 'look',
        input: { city: 'Oslo' },
        source: { kind: 'server', server: 'weather', tool: 'look' },
      },
    ]);
    expect(model.requests[1]?.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking.' },
          { type: 'tool-call', id: 'c1', name: 'look', arguments: { city: 'Oslo' } },
        ],
      },
      {
        role: 'tool',
        results: [{ id: 'c1', name: 'look', content: [{ type: 'text', text: 'weather:{"city":"Oslo"}' }] }],
      },
    ]);
  });

  test('gives every call an id of its own, whatever the model calls them', async () => {
    const twice: ModelEvent[] = [
      { type: 'tool-call', id: '0', name: 'look', text: '' },
      { type: 'tool-call', id: '0', name: 'look', text: '{"n":2}' },
      { type: 'finish', reason: 'tool-calls' },
    ];
    const conversation = converse({
      model: createModel(twice, call('look', '{}', '0')),
      servers: [createEcho('weather', [toTool('look')])],
    });
    await conversation.send('go');
    const calls = toCalls(conversation);
    expect(calls.map(({ input }) => input)).toEqual([{}, { n: 2 }, {}]);
    expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(3);
  });

  test('waits for the one before it', async () => {
    const conversation = converse({ model: createModel(say('one'), say('two')) });
    const first = conversation.send('first');
    void conversation.send('second');
    expect(conversation.getSnapshot().queued).toHaveLength(2);
    await first;
    expect(toTexts(conversation)).toEqual([
      'user: first',
      'assistant: one',
      'user: second',
      'assistant: two',
    ]);
  });

  test('uses the model and the servers of the moment', async () => {
    const before = createEcho('old', [toTool('a')]);
    const conversation = converse({ model: createModel(), servers: [before] });
    const next = createModel();
    conversation.setModel(next);
    conversation.setServers([createEcho('new', [toTool('b')])]);
    await conversation.send('hi');
    expect(next.requests[0]?.tools.map(({ name }) => name)).toEqual(['b']);
  });

  test('of nothing but blanks is none', async () => {
    const conversation = converse({ model: createModel() });
    await conversation.send('  ');
    expect(conversation.getSnapshot().messages).toEqual([]);
  });

  test('does not hear of what the host shows by itself', async () => {
    const model = createModel();
    const conversation = converse({ model });
    conversation.addItem({ response_type: 'mcp_app', title: 'Map', mcp_app_id: 'map' });
    await conversation.send('hi');
    expect(conversation.getSnapshot().messages[0]).toMatchObject({ parts: [{ type: 'mcp-app' }] });
    expect(model.requests[0]?.messages).toHaveLength(1);
  });
});

verifies(
  'HOST-076',
  'the model gets the content of a result, and what is structured only in its place',
  async () => {
    const results = [
      {
        content: [{ type: 'text', text: 'seen', _meta: { a: 1 } }],
        structuredContent: { hidden: 1 },
        _meta: { b: 2 },
      },
      { content: [], structuredContent: { shown: 1 } },
    ];
    const port = createEcho('weather', [toTool('look')], { callTool: () => results.shift() });
    const model = createModel(call('look', '{}', 'a'), call('look', '{}', 'b'));
    const conversation = converse({ model, servers: [port] });
    await conversation.send('go');
    expect(model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool')).toEqual([
      { role: 'tool', results: [{ id: 'a', name: 'look', content: [{ type: 'text', text: 'seen' }] }] },
      {
        role: 'tool',
        results: [{ id: 'b', name: 'look', content: [{ type: 'text', text: '{"shown":1}' }] }],
      },
    ]);
    // Apps and people get all of it.
    expect(toCalls(conversation)[0]?.output).toMatchObject({
      structuredContent: { hidden: 1 },
      _meta: { b: 2 },
    });
  },
);

describe('a mistake of the model', () => {
  const port = () => createEcho('weather', [toTool('look')]);

  test.each([
    ['malformed arguments', call('look', '{"city":'), 'input-malformed'],
    ['arguments that are no object', call('look', '[1]'), 'input-malformed'],
    ['an unknown tool', call('nothing', '{}'), 'tool-not-found'],
  ])('%s: named, told to the model, and the turn goes on', async (_, mistake, errorCode) => {
    const model = createModel(mistake, say('Sorry.'));
    const server = port();
    const conversation = converse({ model, servers: [server] });
    await conversation.send('go');
    expect(server.calls).toEqual([]);
    expect(toCalls(conversation)).toMatchObject([{ state: 'output-error', errorCode }]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', results: [{ isError: true }] });
    expect(toTexts(conversation).at(-1)).toBe('assistant: Sorry.');
    expect(conversation.getSnapshot().status).toBe('idle');
  });

  test('an endless loop ends at the cap; trying again goes on', async () => {
    const steps = Array.from({ length: 5 }, (_, index) => call('look', '{}', `c${index}`));
    const conversation = converse({ model: createModel(...steps), servers: [port()], maxSteps: 3 });
    await conversation.send('go');
    expect(conversation.getSnapshot()).toMatchObject({ status: 'failed', failure: { code: 'step-limit' } });
    expect(toCalls(conversation)).toHaveLength(3);
    await conversation.retry();
    expect(conversation.getSnapshot().status).toBe('idle');
    expect(toCalls(conversation)).toHaveLength(5);
    expect(toTexts(conversation).at(-1)).toBe('assistant: done');
  });

  test.each([
    ['text without end', [{ type: 'text', delta: 'x'.repeat(11) }, ...say('')]],
    ['arguments without end', call('look', JSON.stringify({ a: 'x'.repeat(20) }))],
    [
      'calls without end',
      [...call('look', '').slice(0, 1), ...call('look', '').slice(0, 1), ...call('look', '')],
    ],
  ] satisfies [string, ModelEvent[]][])('%s', async (_, events) => {
    const server = port();
    const limits = { maxText: 10, maxInput: 20, maxCalls: 2 };
    const conversation = converse({ model: createModel(events), servers: [server], limits });
    await conversation.send('go');
    expect(conversation.getSnapshot()).toMatchObject({
      status: 'failed',
      failure: { code: 'message-too-large' },
    });
    expect(server.calls).toEqual([]);
  });
});

describe('a failure', () => {
  test.each([
    ['a stream that ends without a word', [{ type: 'text', delta: 'Half' }], 'stream-cut'],
    [
      'a stream that ends within a call',
      [
        { type: 'tool-input-start', id: 'c', name: 'look' },
        { type: 'finish', reason: 'length' },
      ],
      'stream-cut',
    ],
    [
      'a stream that ends after a call, which is then not made',
      [{ type: 'tool-call', id: 'c', name: 'look', text: '{}' }],
      'stream-cut',
    ],
  ] satisfies [string, ModelEvent[], string][])(
    '%s is named, and trying again begins the step anew',
    async (_, events, code) => {
      const server = createEcho('weather', [toTool('look')]);
      const model = createModel(events, say('Whole.'));
      const conversation = converse({ model, servers: [server] });
      await conversation.send('go');
      expect(conversation.getSnapshot()).toMatchObject({ status: 'failed', failure: { code } });
      expect(server.calls).toEqual([]);
      for (const { state } of toCalls(conversation)) expect(state).toBe('cancelled');
      await conversation.retry();
      expect(toTexts(conversation)).toEqual(['user: go', 'assistant: Whole.']);
      expect(toCalls(conversation)).toEqual([]);
      expect(conversation.getSnapshot().failure).toBeUndefined();
      expect(model.requests[1]).toEqual(model.requests[0]);
    },
  );

  test('a refused key is named as the model names it; the next message goes through after a change', async () => {
    const refusing = createModel(
      fail(new CasementError('model-refused', 'The key was refused.', { hint: 'Give another key.' })),
    );
    const conversation = converse({ model: refusing });
    await conversation.send('one');
    const failure = { code: 'model-refused', message: 'The key was refused.', hint: 'Give another key.' };
    expect(conversation.getSnapshot()).toMatchObject({ status: 'failed', failure });
    conversation.setModel(createModel());
    await conversation.send('two');
    expect(toTexts(conversation)).toEqual(['user: one', 'user: two', 'assistant: done']);
    expect(conversation.getSnapshot()).toMatchObject({ status: 'idle', failure: undefined });
  });

  test('of unknown kind does not tell its text', async () => {
    const broken = createModel(() => {
      throw new Error('https://user:secret@example.com');
    });
    const conversation = converse({ model: broken });
    await conversation.send('one');
    expect(conversation.getSnapshot().failure?.code).toBe('model-failed');
    expect(JSON.stringify(conversation.getSnapshot())).not.toContain('secret');
  });

  test('in the middle of a turn keeps the calls that were made', async () => {
    const server = createEcho('weather', [toTool('look')]);
    const model = createModel(call('look', '{}'), [{ type: 'text', delta: 'Ha' }], say('Rain.'));
    const conversation = converse({ model, servers: [server] });
    await conversation.send('go');
    await conversation.retry();
    expect(server.calls).toHaveLength(1);
    expect(toTexts(conversation)).toEqual(['user: go', 'assistant: Rain.']);
    expect(toCalls(conversation)).toMatchObject([{ state: 'output-available' }]);
  });

  test('of a server that is gone is that of its call and of its list, not of the conversation', async () => {
    let isGone = false;
    let tell = (): void => undefined;
    const gone = (): never => {
      throw new CasementError('server-unreachable', 'The server is gone.');
    };
    const server = createEcho('weather', [toTool('look')], {
      listTools: () => (isGone ? gone() : [toTool('look')]),
      callTool: () => gone(),
      subscribe: (listener) => {
        tell = () => listener({ type: 'lost', reason: 'exited' });
        return () => undefined;
      },
    });
    const model = createModel(call('look', '{}'), say('No luck.'), say('Nothing.'), say('Back.'));
    const conversation = converse({ model, servers: [server] });
    await conversation.send('go');
    expect(toCalls(conversation)).toMatchObject([{ state: 'output-error', errorCode: 'server-unreachable' }]);
    expect(toTexts(conversation).at(-1)).toBe('assistant: No luck.');
    isGone = true;
    tell();
    expect(conversation.getSnapshot()).toMatchObject({
      tools: [],
      problems: [{ server: 'weather', code: 'server-lost' }],
    });
    await conversation.send('again');
    expect(conversation.getSnapshot().problems).toMatchObject([{ code: 'server-unreachable' }]);
    isGone = false;
    await conversation.send('and now?');
    expect(conversation.getSnapshot()).toMatchObject({ tools: [{ name: 'look' }], problems: [] });
    expect(model.requests.at(-1)?.tools).toHaveLength(1);
  });

  test('of a server to list its tools in time does not hold the turn', async () => {
    const server = createEcho('slow', [], { listTools: () => new Promise(() => undefined) });
    const conversation = converse({ model: createModel(), servers: [server], limits: { listMs: 5 } });
    await conversation.send('hi');
    expect(conversation.getSnapshot()).toMatchObject({
      status: 'idle',
      problems: [{ code: 'server-timeout' }],
    });
    await conversation.send('and again');
    expect(toTexts(conversation)).toHaveLength(4);
  });

  test('leaves what waits where it is until the turn succeeds', async () => {
    const conversation = converse({ model: createModel([], say('one'), say('two')) });
    const first = conversation.send('first');
    void conversation.send('second');
    await first;
    expect(conversation.getSnapshot()).toMatchObject({ status: 'failed', queued: [{}] });
    await conversation.retry();
    expect(toTexts(conversation)).toEqual([
      'user: first',
      'assistant: one',
      'user: second',
      'assistant: two',
    ]);
  });
});

describe('stop', () => {
  test('ends the answer of the model, and tells the model', async () => {
    const model = createModel(async function* (...step) {
      yield { type: 'text', delta: 'Well' };
      yield* waitForEnd(...step);
    });
    const conversation = converse({ model });
    void conversation.send('go');
    await expect.poll(() => toTexts(conversation)).toHaveLength(2);
    expect(conversation.getSnapshot().status).toBe('running');
    await conversation.stop();
    expect(conversation.getSnapshot()).toMatchObject({ status: 'idle', failure: undefined });
    await conversation.send('more');
    expect(toTexts(conversation)).toEqual(['user: go', 'assistant: Well', 'user: more', 'assistant: done']);
  });

  test('ends a model and a tool that do not listen', async () => {
    let isCalled = false;
    let aborted: AbortSignal | undefined;
    const server = createEcho('weather', [toTool('look')], {
      callTool: (_, { signal }) => {
        isCalled = true;
        aborted = signal;
        return new Promise(() => undefined);
      },
    });
    const model = createModel(call('look', '{}'), hang);
    const conversation = converse({ model, servers: [server] });
    void conversation.send('go');
    await expect.poll(() => isCalled).toBe(true);
    await conversation.stop();
    expect(aborted?.aborted).toBe(true);
    expect(toCalls(conversation)).toMatchObject([{ state: 'cancelled' }]);
    void conversation.send('more');
    await expect.poll(() => model.requests).toHaveLength(2);
    // The model learns that the call was begun and not ended.
    expect(model.requests[1]?.messages.at(-2)).toMatchObject({ role: 'tool', results: [{ isError: true }] });
    await conversation.stop();
    expect(conversation.getSnapshot().status).toBe('idle');
  });

  test('answers nothing that waits, and loses nothing of it', async () => {
    const model = createModel(waitForEnd);
    const conversation = converse({ model });
    void conversation.send('one');
    await expect.poll(() => model.requests).toHaveLength(1);
    void conversation.send('two');
    await conversation.stop();
    expect(toTexts(conversation)).toEqual(['user: one', 'user: two']);
    expect(conversation.getSnapshot()).toMatchObject({ status: 'idle', queued: [] });
    expect(model.requests).toHaveLength(1);
  });

  test('closing ends everything and nothing begins after it', async () => {
    const model = createModel(waitForEnd);
    const conversation = converse({ model, servers: [createEcho('weather', [toTool('look')])] });
    const turn = conversation.send('one');
    await expect.poll(() => model.requests).toHaveLength(1);
    conversation.close();
    await turn;
    await conversation.send('two');
    expect(conversation.getSnapshot()).toMatchObject({ status: 'idle', tools: [] });
    expect(model.requests).toHaveLength(1);
  });
});
