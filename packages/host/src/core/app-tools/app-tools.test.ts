import type { CallToolResult, JsonRpcId, RequestHandlers, Tool } from '@casement/protocol';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../../test/verifies.js';
import type { SessionOptions } from '../session-options.js';
import { defaultLimits } from '../limits.js';
import { toolWith, uiTool } from '../plain-server.test-support.js';
import type { Stage } from '../stage.test-support.js';
import { createStage, holdTime, initializeParams, settle, until } from '../stage.test-support.js';

const tool = (name: string, extra: Partial<Tool> = {}): Tool => ({
  name,
  inputSchema: { type: 'object' },
  ...extra,
});
const offering = { ...initializeParams, appCapabilities: { tools: { listChanged: true } } };
const done: CallToolResult = { content: [{ type: 'text', text: 'done' }] };

/** A stage with an app that offers tools; `handlers` say how. */
const createOffer = async (
  handlers: RequestHandlers | readonly Tool[],
  options: Partial<SessionOptions> = {},
): Promise<Stage> => {
  const stage = createStage(options);
  await stage.handOver();
  stage.createApp(
    Array.isArray(handlers)
      ? { 'tools/list': () => ({ tools: [...(handlers as Tool[])] }), 'tools/call': () => done }
      : (handlers as RequestHandlers), // the other side of the union, which isArray cannot tell of a readonly list
  );
  await stage.ask('init', 'ui/initialize', offering);
  await stage.send({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
  return stage;
};

const toNames = (stage: Stage): string[] =>
  stage.session.getSnapshot().appTools.map(({ tool: { name } }) => name);

const listed = (stage: Stage, ...names: string[]): Promise<void> =>
  until(() => expect(toNames(stage)).toEqual(names));

const listChanged = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

describe('tools an app offers', () => {
  verifies(
    ['HOST-081', 'HOST-093', 'S3-03'],
    'are asked for once the app declared them and is ready',
    async () => {
      const silent = createStage();
      await silent.handOver();
      silent.createApp({ 'tools/list': () => ({ tools: [tool('board')] }) });
      await silent.ask('init', 'ui/initialize', initializeParams);
      await silent.send({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
      await silent.send(listChanged);
      await expect(silent.session.callAppTool('board', {})).rejects.toMatchObject({
        code: 'app-tool-not-found',
      });
      expect(silent.methods().filter((method) => method.startsWith('tools/'))).toEqual([]);

      const stage = createStage();
      await stage.handOver();
      await stage.ask('init', 'ui/initialize', offering);
      expect(stage.methods()).not.toContain('tools/list');
      stage.createApp({ 'tools/list': () => ({ tools: [tool('board')] }), 'tools/call': () => done });
      await stage.send({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
      await listed(stage, 'board');
      const [offered] = stage.session.getSnapshot().appTools;
      expect(offered).toMatchObject({ tool: tool('board'), callable: true });
      expect(await stage.session.callAppTool('board', { move: 'e4' })).toEqual(done);
      expect(await stage.session.callAppTool(offered?.qualifiedName ?? '', {})).toEqual(done);
      expect(
        stage.received.filter(({ method }) => method === 'tools/call').map(({ params }) => params),
      ).toEqual([
        { name: 'board', arguments: { move: 'e4' } },
        { name: 'board', arguments: {} },
      ]);
    },
  );

  verifies(['HOST-093', 'HOST-094', 'HOST-095'], 'are gone with the app, whichever way it goes', async () => {
    const ends: Record<string, (stage: Stage) => unknown> = {
      close: (stage) => stage.session.close(),
      stop: (stage) => stage.session.stop(),
      reload: (stage) => stage.session.reload(),
      'another document': (stage) => stage.proxy('loader-ready'),
      'a second handshake': (stage) =>
        stage.send({ jsonrpc: '2.0', id: 'b', method: 'ui/initialize', params: offering }),
    };
    for (const [how, end] of Object.entries(ends)) {
      const stage = await createOffer(
        {
          'tools/list': () => ({ tools: [tool('board')] }),
          'tools/call': () => new Promise(() => undefined),
        },
        { limits: { teardownMs: 20 } },
      );
      await listed(stage, 'board');
      const pending = stage.session.callAppTool('board', {}).catch((error: unknown) => error);
      await settle();
      await end(stage);
      expect([how, await pending]).toMatchObject([how, { code: 'session-closed' }]);
      await until(() => expect([how, toNames(stage)]).toEqual([how, []]));
      await expect(stage.session.callAppTool('board', {})).rejects.toMatchObject({ code: 'session-closed' });
    }
    const next = createStage();
    await next.ready();
    expect(toNames(next)).toEqual([]);
  });

  verifies('HOST-098', 'have names no tool of the server has, and no other app', async () => {
    const names = ['weather', 'a b', 'a_b', 'ä'.repeat(100), `long-${'x'.repeat(90)}`];
    const one = await createOffer(names.map((name) => tool(name)));
    const other = await createOffer(names.map((name) => tool(name)));
    await listed(one, ...names);
    await listed(other, ...names);
    const qualified = [one, other].flatMap((stage) =>
      stage.session.getSnapshot().appTools.map(({ qualifiedName }) => qualifiedName),
    );
    expect(new Set(qualified).size).toBe(names.length * 2);
    for (const name of qualified) expect(name).toMatch(/^app_[a-z0-9]+__[a-zA-Z0-9_-]+$/);
    for (const name of qualified) expect(name.length).toBeLessThanOrEqual(64);

    // A server that learns the name and takes it does not get the call.
    const [first = ''] = qualified;
    one.server.tools = [uiTool, toolWith(first, ['model'])];
    one.server.emit({ type: 'tools-changed' });
    await until(() => expect(one.session.getSnapshot().appTools[0]?.qualifiedName).toBe(`${first}_2`));
  });

  verifies('HOST-099', 'are fifty at most, of bounded size, however many pages there are (B29)', async () => {
    let page = 0;
    const stage = await createOffer({
      'tools/list': () => {
        page += 1;
        return {
          tools: Array.from({ length: 20 }, (_, index) => tool(`t${page}-${index}`)),
          nextCursor: String(page),
        };
      },
    });
    await until(() => expect(toNames(stage)).toHaveLength(50));
    expect(page).toBe(3);
    expect(stage.session.getSnapshot().findings).toContainEqual(
      expect.objectContaining({ code: 'app-tool-invalid', message: expect.stringContaining('50') }),
    );

    let asked = 0;
    const circle = await createOffer({
      'tools/list': () => {
        asked += 1;
        return {
          tools: [tool('same'), tool(''), tool('big', { description: 'x'.repeat(70_000) })],
          nextCursor: 'again',
        };
      },
    });
    await listed(circle, 'same');
    expect(asked).toBe(2);
  });

  verifies('HOST-099', 'are not listed again more than once in the set time (B29)', async () => {
    holdTime();
    let asked = 0;
    const stage = await createOffer(
      {
        'tools/list': () => {
          asked += 1;
          return { tools: [tool(`v${asked}`)] };
        },
      },
      { limits: { appToolListMs: 200 } },
    );
    await listed(stage, 'v1');
    for (let burst = 0; burst < 500; burst += 1) await stage.send(listChanged);
    await vi.advanceTimersByTimeAsync(199);
    expect(asked).toBe(1);
    // The last change is not lost.
    await vi.advanceTimersByTimeAsync(1);
    await listed(stage, 'v2');
    // Five times the set time, without a pause.
    for (let step = 0; step < 100; step += 1) {
      await stage.send(listChanged);
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(10_000);
    await listed(stage, `v${asked}`);
    expect([asked > 2, asked <= 2 + 5 + 1]).toEqual([true, true]);
    const closed = stage.session.close();
    await settle();
    await vi.advanceTimersByTimeAsync(10_000);
    await closed;
    await stage.send(listChanged);
    expect(toNames(stage)).toEqual([]);
  });

  verifies('HOST-099', 'must answer in time and with less than the limit', async () => {
    expect(defaultLimits).toMatchObject({
      appToolMs: 30_000,
      maxAppToolResultLength: 10 * 1024 * 1024,
    });
    holdTime();
    const cancelled: (JsonRpcId | undefined)[] = [];
    const stage = await createOffer(
      {
        'tools/list': () => ({ tools: [tool('slow'), tool('huge')] }),
        'tools/call': ({ name }) =>
          name === 'slow'
            ? new Promise(() => undefined)
            : { content: [{ type: 'text', text: 'x'.repeat(2000) }] },
      },
      { limits: { appToolMs: 30, maxAppToolResultLength: 1000 } },
    );
    await listed(stage, 'slow', 'huge');
    let outcome: unknown;
    stage.session.callAppTool('slow', {}).catch((error: unknown) => (outcome = error));
    await vi.advanceTimersByTimeAsync(29);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toMatchObject({ code: 'peer-timeout' });
    await settle();
    for (const { method, params } of stage.received) {
      if (method === 'notifications/cancelled') cancelled.push(params?.requestId as JsonRpcId); // core MCP says so
    }
    expect(cancelled).toHaveLength(1);
    await expect(stage.session.callAppTool('huge', {})).rejects.toMatchObject({ code: 'result-too-large' });
  });

  verifies('HOST-100', 'are recorded with their registration, calls, arguments and results', async () => {
    const stage = await createOffer({
      'tools/list': () => ({ tools: [tool('board'), tool('bad')] }),
      'tools/call': ({ name }) => (name === 'bad' ? { content: [], isError: true } : done),
    });
    await listed(stage, 'board', 'bad');
    await stage.session.callAppTool('board', { move: 'e4' });
    await stage.session.callAppTool('bad', {});
    const [board, bad] = stage.session.getSnapshot().appTools.map(({ qualifiedName }) => qualifiedName);
    expect(stage.kinds('lifecycle')).toContainEqual({ type: 'app-tools', tools: [board, bad] });
    expect(stage.kinds('lifecycle')).toContainEqual(
      expect.objectContaining({ type: 'app-tool-call', name: board, tool: 'board', outcome: 'result' }),
    );
    expect(stage.kinds('lifecycle')).toContainEqual(
      expect.objectContaining({ type: 'app-tool-call', name: bad, outcome: 'tool error' }),
    );
    const leg = stage.recording.entries().filter(({ leg: side }) => side === 'app');
    const request = leg.find(({ raw }) => JSON.stringify(raw).includes('"move":"e4"'));
    expect(request).toMatchObject({ dir: 'out', kind: 'request' });
    expect(leg.some(({ dir, raw }) => dir === 'in' && JSON.stringify(raw).includes('"done"'))).toBe(true);
    await stage.session.close();
    expect(stage.kinds('lifecycle')).toContainEqual({ type: 'app-tools', tools: [] });
  });

  test('can be called off, and report progress to who asked', async () => {
    const long = createStage();
    await long.handOver();
    let aborted = false;
    const app = long.createApp({
      'tools/list': () => ({ tools: [tool('long')] }),
      'tools/call': ({ _meta }, { signal }) => {
        const token = _meta?.progressToken ?? 'none';
        app.notify('notifications/progress', { progressToken: token, progress: 1, total: 3, message: 'one' });
        app.notify('notifications/progress', { progressToken: 'other', progress: 2 });
        signal.addEventListener('abort', () => (aborted = true));
        return new Promise(() => undefined);
      },
    });
    await long.ask('init', 'ui/initialize', offering);
    await long.send({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    await listed(long, 'long');
    const controller = new AbortController();
    const onProgress = vi.fn();
    const call = long.session.callAppTool('long', {}, { signal: controller.signal, onProgress });
    await until(() => expect(onProgress).toHaveBeenCalled());
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await until(() => expect(aborted).toBe(true));
    expect(onProgress.mock.calls).toEqual([[{ progress: 1, total: 3, message: 'one' }]]);
    await expect(long.session.callAppTool('long', {}, { signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  test('that are pushed in an older dialect are shown and cannot be called', async () => {
    const stage = createStage();
    await stage.ready();
    await stage.ask(1, 'ui/registerTool', { name: 'old', description: 'd', inputSchema: { type: 'object' } });
    await listed(stage, 'old');
    expect(stage.session.getSnapshot().appTools[0]?.callable).toBe(false);
    await expect(stage.session.callAppTool('old', {})).rejects.toMatchObject({ code: 'app-tool-not-found' });
    await stage.ask(2, 'ui/unregisterTool', { name: 'old' });
    await listed(stage);
    await stage.ask(3, 'ui/registerTool', { name: 'old', description: 'd', inputSchema: { type: 'object' } });
    await listed(stage, 'old');
    await stage.proxy('loader-ready');
    await listed(stage);
  });

  test('that are no tools are a finding, and the app goes on', async () => {
    for (const tools of [undefined, 'x', [{ name: 7 }], [{ name: 'a' }]]) {
      // A hostile answer is the point.
      const stage = await createOffer({ 'tools/list': () => ({ tools }) as unknown as { tools: Tool[] } });
      await until(() =>
        expect(stage.session.getSnapshot().findings).toContainEqual(
          expect.objectContaining({ code: 'app-tool-invalid' }),
        ),
      );
      expect(stage.session.getSnapshot()).toMatchObject({ status: 'ready', appTools: [] });
    }
  });
});

describe('the result of an app’s tool', () => {
  const call = async (outputSchema: Tool['outputSchema'], result: unknown): Promise<unknown> => {
    const stage = await createOffer({
      'tools/list': () => ({ tools: [tool('t', outputSchema ? { outputSchema } : {})] }),
      'tools/call': () => result as CallToolResult, // hostile values are the point
    });
    await listed(stage, 't');
    return stage.session.callAppTool('t', {}).catch((error: unknown) => error);
  };
  const structured = (structuredContent: unknown) => ({ content: [], structuredContent });
  const refused = { code: 'app-tool-invalid' };

  verifies('HOST-101', 'is checked against the declared output schema', async () => {
    const schema = {
      type: 'object',
      properties: {
        degrees: { type: 'number', minimum: -100 },
        days: { type: 'array', items: { $ref: '#/$defs/day' } },
        pattern: { type: 'string' },
      },
      required: ['degrees'],
      additionalProperties: false,
      $defs: { day: { enum: ['mo', 'tu'] } },
    };
    const fits = structured({ degrees: 21, days: ['mo'], pattern: 'x' });
    expect(await call(schema, fits)).toEqual(fits);
    for (const value of [
      {},
      { degrees: '21' },
      { degrees: -200 },
      { degrees: 1, more: 1 },
      { degrees: 1, days: ['su'] },
      { degrees: 1, pattern: 1 },
    ]) {
      expect([value, await call(schema, structured(value))]).toMatchObject([value, refused]);
    }
    expect(await call(schema, { content: [] })).toMatchObject(refused);
    expect(await call(schema, { content: [], isError: true })).toEqual({ content: [], isError: true });
  });

  verifies('HOST-101', 'is refused or cleaned when it is malformed or a trap', async () => {
    const link = (uri: string) => ({ content: [{ type: 'resource_link', uri, name: 'n' }] });
    for (const uri of ['javascript:alert(1)', ' JavaScript:x', 'data:text/html,x', 'file:///etc/passwd']) {
      expect([uri, await call(undefined, link(uri))]).toMatchObject([uri, refused]);
    }
    expect(await call(undefined, link('https://example.com'))).toEqual(link('https://example.com'));
    for (const bad of [{ content: 'x' }, { content: [{ type: 'x' }] }, structured('x'), structured([1])]) {
      expect([bad, await call(undefined, bad)]).toMatchObject([bad, refused]);
    }
    const dirty = {
      content: [{ type: 'text', text: 'a\u001b[2J\u202eb\n\tc\u200b' }],
      extra: 1,
      _meta: { a: 1 },
    };
    expect(await call(undefined, dirty)).toEqual({
      content: [{ type: 'text', text: 'a\ufffdb\n\tc\ufffd' }],
    });
  });

  test('cannot hang or mislead the host with its schema (D19)', async () => {
    const levels = Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => [
        `l${level}`,
        { anyOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] },
      ]),
    );
    const bombs: Record<string, unknown>[] = [
      { $ref: '#/$defs/l0', $defs: { ...levels, l40: { type: 'string' } } },
      { $ref: '#' },
      { $ref: 'https://evil.example/schema.json' },
      { $ref: '#/$defs/none' },
      { $ref: '#/__proto__' },
      { properties: { a: { $ref: '#/properties/a' } } },
      { items: JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`) },
      { type: 7 },
      { properties: 'x', required: 'y' },
    ];
    for (const [index, schema] of bombs.entries()) {
      const outcome = await call({ type: 'object', ...schema }, structured({ a: 'x' }));
      if (index < 6) expect([index, outcome]).toMatchObject([index, refused]);
    }
    const slow = { properties: { a: { type: 'string', pattern: '^(a+)+$' } }, uniqueItems: true };
    expect(await call({ type: 'object', ...slow }, structured({ a: `${'a'.repeat(40)}!` }))).toHaveProperty(
      'content',
    );
    const many = Array.from({ length: 5000 }, (_, index) => ({ index }));
    const wide = {
      type: 'object',
      properties: { many: { items: { allOf: Array(50).fill({ type: 'object' }) } } },
    };
    expect(await call(wide, structured({ many }))).toMatchObject(refused);
  });
});
