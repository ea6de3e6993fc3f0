import type { Tool } from '@casement/protocol';
import { describe, expect, test } from 'vitest';
import type { ConsentAnswer, SessionOptions, ToolCallRequest } from '../session-options.js';
import { createConsentMemory } from '../consent/consent-memory.js';
import { createPlainServer, uiTool } from '../plain-server.test-support.js';
import { createStage, settle, until } from '../stage.test-support.js';

type Annotations = Tool['annotations'];

const toTool = (name: string, annotations?: Annotations, more: Partial<Tool> = {}): Tool => ({
  name,
  inputSchema: { type: 'object' },
  ...(annotations ? { annotations } : {}),
  ...more,
});

const wipe = toTool('wipe', { destructiveHint: true });

/** A ready app of a server with these tools, and what its user is asked. */
const open = async (
  tools: readonly Tool[],
  answer: ConsentAnswer | ((request: ToolCallRequest) => Promise<ConsentAnswer>) = false,
  options: Partial<SessionOptions> = {},
) => {
  const server = createPlainServer();
  server.tools = [uiTool, ...tools];
  const asked: ToolCallRequest[] = [];
  const stage = createStage({
    server,
    consents: createConsentMemory(),
    onToolCall: async (request) => {
      asked.push(request);
      return typeof answer === 'function' ? answer(request) : answer;
    },
    ...options,
  });
  await stage.ready();
  let id = 0;
  const call = (name: string, args?: object, more: object = {}) =>
    stage.ask(`t${(id += 1)}`, 'tools/call', { name, ...(args ? { arguments: args } : {}), ...more });
  return { stage, server, asked, call };
};

const denied = { code: -32000, data: { code: 'tool-call-denied', hint: expect.any(String) } };

describe('sec-W1 a call of an app to its own server', () => {
  test.each([
    [undefined, false],
    [{ title: 'Delete' }, false],
    [{ readOnlyHint: true }, false],
    [{ destructiveHint: false }, false],
    [{ readOnlyHint: false, destructiveHint: false }, false],
    [{ destructiveHint: true }, true],
    [{ readOnlyHint: false }, true],
    [{ readOnlyHint: true, destructiveHint: true }, true],
    [{ readOnlyHint: 'true' } as unknown as Annotations, true], // what a server may send all the same
    [{ destructiveHint: null } as unknown as Annotations, true], // as above
  ] satisfies [Annotations, boolean][])('of a tool that says %j is asked about: %s', async (says, asks) => {
    const { asked, call, server } = await open([toTool('act', says)], false);
    const { error } = await call('act', { n: 1 });
    expect(asked).toHaveLength(asks ? 1 : 0);
    expect(server.calls).toHaveLength(asks ? 0 : 1);
    if (asks) expect(error).toMatchObject(denied);
  });

  test('is shown whole: tool, server, app, every argument and what the tool claims', async () => {
    const args = { path: '/', deep: { list: Array.from({ length: 3000 }, (_, index) => index) } };
    const { asked, call, server } = await open([wipe], true);
    expect(await call('wipe', args)).toHaveProperty('result.content');
    expect(asked).toEqual([
      {
        caller: 'app',
        server: 'weather-server',
        tool: wipe,
        arguments: args,
        claims: ['may-destroy'],
        reach: 'call',
        app: expect.objectContaining({ server: 'weather-server' }),
      },
    ]);
    expect(server.calls).toMatchObject([{ name: 'wipe', arguments: args, caller: 'app' }]);
  });

  test('as a task is asked about in the same way', async () => {
    const { call, server, asked } = await open([wipe], false);
    expect((await call('wipe', {}, { task: {} })).error).toMatchObject(denied);
    expect([asked.length, server.calls]).toEqual([1, []]);
  });

  test('is refused by name where the embedder asks nobody, and run where it says so', async () => {
    const none = await open([wipe], false, { onToolCall: undefined });
    expect((await none.call('wipe')).error).toMatchObject(denied);
    expect(none.server.calls).toEqual([]);
    expect(none.stage.session.getSnapshot().findings).toContainEqual(
      expect.objectContaining({ code: 'tool-call-denied', fix: expect.stringContaining('onToolCall') }),
    );
    const silent = await open([wipe], false, { onToolCall: undefined, toolCallPolicy: { toolCalls: 'run' } });
    expect(await silent.call('wipe')).toHaveProperty('result.content');
  });

  test('polled after a no opens no second question, and the recording says so', async () => {
    const { call, asked, server, stage } = await open([wipe], false);
    for (let turn = 0; turn < 20; turn += 1) {
      // The order of keys makes no other call of it.
      const { error } = await call('wipe', turn % 2 ? { a: 1, b: 2 } : { b: 2, a: 1 });
      expect(error).toMatchObject(denied);
    }
    expect([asked.length, server.calls]).toEqual([1, []]);
    expect(stage.kinds('decision').at(-1)).toMatchObject({
      method: 'tools/call',
      tool: 'wipe',
      allow: false,
      reason: expect.stringContaining('not asked again'),
    });
  });

  test('with other arguments each time asks three times in a row at most', async () => {
    const { call, asked, server } = await open([wipe, toTool('drop', { readOnlyHint: false })], false);
    for (let turn = 0; turn < 10; turn += 1)
      expect((await call(turn % 2 ? 'wipe' : 'drop', { turn })).error).toMatchObject(denied);
    expect([asked.length, server.calls]).toEqual([3, []]);
  });

  test('is one question at a time; another call meanwhile is refused', async () => {
    let answer: (answer: ConsentAnswer) => void = () => undefined;
    const { call, asked } = await open([wipe], () => new Promise((resolve) => (answer = resolve)));
    const first = call('wipe', { n: 1 });
    await until(() => expect(asked).toHaveLength(1));
    expect((await call('wipe', { n: 2 })).error).toMatchObject({ data: { code: 'rate-limited' } });
    answer(true);
    expect(await first).toHaveProperty('result.content');
    expect(asked).toHaveLength(1);
  });

  test('goes away with its app', async () => {
    let gone: AbortSignal | undefined;
    const { stage, server } = await open([wipe], false, {
      onToolCall: (_, { signal }) => {
        gone = signal;
        return new Promise(() => undefined);
      },
    });
    await stage.send({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'wipe' } });
    await until(() => expect(gone).toBeDefined());
    stage.session.stop();
    await settle();
    expect([gone?.aborted, server.calls]).toEqual([true, []]);
  });
});

describe('sec-W1 a yes for always', () => {
  test('holds for the tool as it describes itself, for every app of that server, until it is taken back', async () => {
    const consents = createConsentMemory();
    const first = await open([wipe], 'always', { consents });
    // A remembered yes is no question, so no limit on questions slows a polling app.
    for (let turn = 0; turn < 15; turn += 1)
      expect(await first.call('wipe')).toHaveProperty('result.content');
    expect(first.asked).toHaveLength(1);
    expect(consents.keys()).toMatchObject([{ kind: 'tool-call', scope: expect.stringMatching(/ wipe$/) }]);

    const same = await open([wipe], false, { consents });
    expect(await same.call('wipe')).toHaveProperty('result.content');
    const changed = await open([{ ...wipe, description: 'Wipes more.' }], false, { consents });
    expect((await changed.call('wipe')).error).toMatchObject(denied);
    expect([same.asked.length, changed.asked.length]).toEqual([0, 1]);

    consents.forget();
    expect((await same.call('wipe')).error).toMatchObject(denied);
    expect(same.asked).toHaveLength(1);
  });

  test('is not for a tool that changed while the question was open', async () => {
    const server = createPlainServer();
    const { call, stage } = await open(
      [wipe],
      async () => {
        server.tools = [uiTool, { ...wipe, description: 'Other.' }];
        server.emit({ type: 'tools-changed' });
        return true;
      },
      { server },
    );
    server.tools = [uiTool, wipe];
    server.emit({ type: 'tools-changed' });
    expect((await call('wipe')).error).toMatchObject(denied);
    expect(server.calls).toEqual([]);
    expect(stage.kinds('decision').at(-1)).toMatchObject({ reason: expect.stringContaining('otherwise') });
  });
});

describe('sec-W1 a tool that is not annotated', () => {
  const silent = [toTool('poll'), toTool('tick', { title: 'Tick' })];

  test('runs, is recorded and is one finding per tool', async () => {
    const { call, asked, server, stage } = await open(silent, false);
    for (let turn = 0; turn < 5; turn += 1) for (const { name } of silent) await call(name, { turn });
    expect([asked, server.calls.length]).toEqual([[], 10]);
    const { findings } = stage.session.getSnapshot();
    expect(findings.filter(({ code }) => code === 'tool-unannotated')).toMatchObject(
      silent.map(({ name }) => ({
        message: expect.stringContaining(`"${name}"`),
        fix: expect.stringContaining('readOnlyHint'),
      })),
    );
  });

  test('is asked about once per app where the policy says so, however many calls there are', async () => {
    for (const answer of [true, 'always'] as const) {
      const { call, asked, server } = await open(silent, answer, { toolCallPolicy: { unannotated: 'ask' } });
      const results = await Promise.all(silent.map(({ name }) => call(name)));
      for (const result of results) expect(result).toHaveProperty('result.content');
      for (let turn = 0; turn < 20; turn += 1) await call('poll', { turn });
      expect(asked).toMatchObject([{ reach: 'app', claims: ['nothing'] }]);
      expect(server.calls).toHaveLength(22);
    }
    const no = await open(silent, false, { toolCallPolicy: { unannotated: 'ask' } });
    for (let turn = 0; turn < 5; turn += 1)
      expect((await no.call('poll', { turn })).error).toMatchObject(denied);
    expect([no.asked.length, no.server.calls]).toEqual([1, []]);
  });

  test('is refused where the policy asks and the embedder has nobody to ask', async () => {
    const { call } = await open(silent, false, {
      toolCallPolicy: { unannotated: 'ask' },
      onToolCall: undefined,
    });
    expect((await call('poll')).error).toMatchObject(denied);
  });
});

test('sec-W1 a tool that says more while the one question about silent ones is open is not called', async () => {
  const silent = toTool('act');
  const { call, server } = await open(
    [silent],
    async () => {
      server.tools = [uiTool, toTool('act', { destructiveHint: true })];
      server.emit({ type: 'tools-changed' });
      return true;
    },
    { toolCallPolicy: { unannotated: 'ask' } },
  );
  expect((await call('act')).error).toMatchObject(denied);
  expect(server.calls).toEqual([]);
});
