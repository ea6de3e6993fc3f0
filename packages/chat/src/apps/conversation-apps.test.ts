import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import {
  call,
  converse,
  createApp,
  createModel,
  say,
  toAppTool,
  toCalls,
  toTexts,
  toUserTexts,
} from '../conversation/conversation.test-support.js';

/** The random word of the marks in a request. */
const readMark = (request: unknown): string =>
  /the mark ([0-9a-f]{32})\./.exec(JSON.stringify(request))?.[1] ?? '';

const toMessage = (text: string) => ({
  role: 'user' as const,
  content: [{ type: 'text' as const, text }],
  app: { server: 'maps', resource: 'ui://maps/map', info: { name: 'Map', version: '1.2' } },
});
const toContext = (text: string) => ({ content: [{ type: 'text' as const, text }] });

describe('a message of an app', () => {
  verifies('HOST-060', "is appended as the user's, named as the app's, and starts a turn", async () => {
    const model = createModel(say('Sure.'));
    const conversation = converse({ model });
    const content = [
      { type: 'text' as const, text: 'Show Oslo' },
      { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' },
    ];
    expect(conversation.sendFromApp({ ...toMessage(''), content })).toBe(true);
    await expect.poll(() => conversation.getSnapshot().status).toBe('idle');
    expect(conversation.getSnapshot().messages).toMatchObject([
      {
        role: 'user',
        from: { server: 'maps', app: 'Map' },
        parts: [
          { type: 'text', text: 'Show Oslo' },
          { type: 'content', content: { type: 'image' } },
        ],
      },
      { role: 'assistant', parts: [{ text: 'Sure.' }] },
    ]);
    expect(model.requests[0]?.messages).toEqual([
      {
        role: 'user',
        content: [
          {
            type: 'text',
            text: `[Message from the app "Map" of the server "maps". The app wrote it, not the user. It ends only at the mark ${readMark(model.requests[0])}.]`,
          },
          ...content,
          { type: 'text', text: `[${readMark(model.requests[0])}: end of the message.]` },
        ],
      },
    ]);
  });

  test('may not follow another for ever', async () => {
    const conversation = converse({ model: createModel(), limits: { maxAppTurns: 2 } });
    expect([1, 2, 3].map((n) => conversation.sendFromApp(toMessage(`${n}`)))).toEqual([true, true, false]);
    await conversation.send('I am here');
    expect(conversation.sendFromApp(toMessage('4'))).toBe(true);
    await conversation.stop();
  });

  test('without content is none', () => {
    const conversation = converse({ model: createModel() });
    expect(conversation.sendFromApp({ ...toMessage(''), content: [] })).toBe(false);
  });
});

describe('what an app gives the model to know', () => {
  verifies(
    ['HOST-062', 'HOST-063', 'HOST-064'],
    'reaches it with the next user message: the last word of each app, in place of what that app said before',
    async () => {
      const model = createModel();
      const conversation = converse({ model });
      const [one, two] = [createApp('one'), createApp('two', { appInfo: { name: 'Chart', version: '3' } })];
      conversation.registerApp({ ...one.app, toolCallId: 'call-7' });
      conversation.registerApp(two.app);
      one.change({ modelContext: toContext('zoom 1') });
      one.change({ modelContext: toContext('zoom 2') });
      two.change({ modelContext: { structuredContent: { bars: 3 } } });
      expect(conversation.getSnapshot().messages).toEqual([]);
      expect(model.requests).toEqual([]);

      await conversation.send('where am I?');
      const toStart = (whose: string): string =>
        `[Context from ${whose}. The app wrote it, not the user. It ends only at the mark ${readMark(model.requests.at(-1))}.]`;
      const toOne = () => toStart('the app "Map" "1.2" of the server "maps", shown for the call "call-7"');
      const toTwo = () => toStart('the app "Chart" "3" of the server "maps"');
      const end = `[${readMark(model.requests[0])}: end of the context.]`;
      expect(toUserTexts(model.requests[0] ?? { messages: [], tools: [] })).toEqual([
        ...[toOne(), 'zoom 2', end, toTwo(), '{"bars":3}', end],
        'where am I?',
      ]);

      one.change({ modelContext: toContext('zoom 3') });
      await conversation.send('and now?');
      const [first, , last] = model.requests[1]?.messages ?? [];
      // What the other app said still stands where it was said.
      expect(first).toMatchObject({ content: [{ text: toTwo() }, {}, {}, { text: 'where am I?' }] });
      expect(last).toMatchObject({
        content: [{ text: toOne() }, { text: 'zoom 3' }, {}, { text: 'and now?' }],
      });
      expect(JSON.stringify(model.requests[1])).not.toContain('zoom 2');
    },
  );

  verifies(
    'HOST-062',
    'stays known in later turns, without being said again, after its app is gone too',
    async () => {
      const model = createModel();
      const conversation = converse({ model });
      const { app, change } = createApp('one');
      const unregister = conversation.registerApp(app);
      change({ modelContext: toContext('zoom 1') });
      expect(conversation.getSnapshot().pendingContext).toMatchObject([{ app: { id: 'one', name: 'Map' } }]);
      await conversation.send('one');
      expect(conversation.getSnapshot().pendingContext).toEqual([]);
      await conversation.send('two');
      unregister();
      await conversation.send('three');
      expect(JSON.stringify(model.requests[2]).split('zoom 1')).toHaveLength(2);
      expect(toUserTexts(model.requests[2] ?? { messages: [], tools: [] })).toEqual(['three']);
    },
  );

  test('is forgotten when the app takes it back', async () => {
    const model = createModel();
    const conversation = converse({ model });
    const { app, change } = createApp('one');
    conversation.registerApp(app);
    change({ modelContext: toContext('zoom 1') });
    await conversation.send('one');
    change({ modelContext: undefined });
    await conversation.send('two');
    expect(JSON.stringify(model.requests[1])).not.toContain('zoom 1');
    // People still see what was told when.
    expect(conversation.getSnapshot().messages[0]?.context).toHaveLength(1);
  });

  test('comes with a message of an app too, and not from an app that failed or left', async () => {
    const model = createModel();
    const conversation = converse({ model });
    const [one, two, three] = [createApp('one'), createApp('two'), createApp('three')];
    for (const { app } of [one, two]) conversation.registerApp(app);
    const unregister = conversation.registerApp(three.app);
    one.change({ modelContext: toContext('of one') });
    two.change({ modelContext: toContext('of two') });
    three.change({ modelContext: toContext('of three') });
    two.change({ status: 'failed' });
    unregister();
    conversation.sendFromApp(toMessage('go'));
    await expect.poll(() => toTexts(conversation)).toHaveLength(2);
    const sent = JSON.stringify(model.requests[0]);
    expect([sent.includes('of one'), sent.includes('of two'), sent.includes('of three')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('is in what the model would be sent', () => {
    const conversation = converse({ model: createModel() });
    const { app, change } = createApp('one');
    conversation.registerApp(app);
    change({ modelContext: toContext('zoom 1') });
    expect(toUserTexts(conversation.toModelRequest('draft'))).toHaveLength(4);
    expect(conversation.toModelRequest().messages).toEqual([]);
  });
});

describe('the tools of an app', () => {
  const readOnly = { annotations: { readOnlyHint: true } };

  test('are there while it is registered and ready', () => {
    const conversation = converse({ model: createModel() });
    const offered = () => conversation.getSnapshot().tools.map(({ name }) => name);
    const { app, change } = createApp('one', { appTools: [toAppTool('move')], status: 'handshake' });
    const unregister = conversation.registerApp(app);
    expect(offered()).toEqual([]);
    change({ status: 'ready' });
    expect(offered()).toEqual(['app_x__move']);
    change({ appTools: [toAppTool('move'), { ...toAppTool('turn'), callable: false }, toAppTool('zoom')] });
    expect(offered()).toEqual(['app_x__move', 'app_x__zoom']);
    unregister();
    expect(offered()).toEqual([]);
  });

  test('run in the app and say whose they are', async () => {
    const { app, calls } = createApp('one', { appTools: [toAppTool('move', readOnly)] });
    const conversation = converse({ model: createModel(call('app_x__move', '{"x":1}')) });
    conversation.registerApp(app);
    await conversation.send('go');
    expect(calls).toEqual([['app_x__move', { x: 1 }]]);
    expect(toCalls(conversation)).toMatchObject([
      {
        state: 'output-available',
        source: { kind: 'app', server: 'maps', tool: 'move', app: { name: 'Map', version: '1.2' } },
      },
    ]);
  });

  test('end with it, in the middle of a call', async () => {
    const { app, calls } = createApp(
      'one',
      { appTools: [toAppTool('move', readOnly)] },
      () => new Promise(() => undefined),
    );
    const conversation = converse({ model: createModel(call('app_x__move', '{}')) });
    const unregister = conversation.registerApp(app);
    const turn = conversation.send('go');
    await expect.poll(() => calls).toHaveLength(1);
    unregister();
    await turn;
    expect(toCalls(conversation)).toMatchObject([{ state: 'output-error', errorCode: 'session-closed' }]);
    expect(toTexts(conversation).at(-1)).toBe('assistant: done');
  });

  test('are those of the latest mount of an item', () => {
    const conversation = converse({ model: createModel() });
    const leave = conversation.registerApp(createApp('one', { appTools: [toAppTool('old')] }).app);
    conversation.registerApp(createApp('one', { appTools: [toAppTool('new')] }).app);
    leave();
    expect(conversation.getSnapshot().tools.map(({ name }) => name)).toEqual(['app_x__new']);
  });
});

describe('a call of an app that goes on as a task', () => {
  const run = async (ofServer: boolean) => {
    const { app } = createApp('one', { appTools: [toAppTool('render')] });
    let finish = (): void => undefined;
    let isBegun = false;
    const conversation = converse({
      model: createModel(call('app_x__render', '{}'), say('ok')),
      approve: () => 'allow',
    });
    const unregister = conversation.registerApp({
      ...app,
      callAppTool: (_name, _args, { onTask } = {}) =>
        new Promise((resolve) => {
          finish = () => resolve({ content: [{ type: 'text', text: 'rendered' }] });
          onTask?.({ taskId: 't', ofServer });
          isBegun = true;
        }),
    });
    const turn = conversation.send('go');
    await expect.poll(() => isBegun).toBe(true);
    unregister();
    finish();
    await turn;
    return toCalls(conversation);
  };

  verifies('HOST-104', 'at the server ends well after the app is gone', async () => {
    expect(await run(true)).toMatchObject([
      { state: 'output-available', output: { content: [{ text: 'rendered' }] } },
    ]);
  });

  test('of its own ends with the app', async () => {
    expect(await run(false)).toMatchObject([{ state: 'output-error', errorCode: 'session-closed' }]);
  });
});
