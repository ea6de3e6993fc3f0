import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import type { SessionOptions } from './session-options.js';
import { defaultLimits } from './limits.js';
import { appContents, createPlainServer, uiTool, uiUri } from './plain-server.test-support.js';
import type { Stage } from './stage.test-support.js';
import { createStage, holdTime, initializeParams, settle, until } from './stage.test-support.js';

const initialized = { jsonrpc: '2.0', method: 'ui/notifications/initialized' };
const never = new Promise<never>(() => undefined);
const codeOf = (stage: Stage): string | undefined => stage.session.getSnapshot().failure?.code;
const statusOf = (stage: Stage): string => stage.session.getSnapshot().status;
const isEmpty = (stage: Stage): boolean => stage.surface.frames.every(({ isThere }) => !isThere);

/** A session of an app the embedder shows by itself. */
const createAuthored = (options: Partial<SessionOptions> = {}): Stage =>
  createStage({ ...options, tool: undefined, resourceUri: uiUri } as Partial<SessionOptions>); // absent, in words a spread understands

describe('an app without a tool', () => {
  verifies(['S5-19', 'S5-48'], 'is shown and hears nothing about any tool', async () => {
    const stage = createAuthored({ toolInput: { city: 'Köln' } });
    await stage.ready();
    stage.session.sendToolInputPartial({ city: 'K' });
    stage.session.sendToolInputText('{"city":"K');
    stage.surface.paint();
    stage.session.sendToolInput({ city: 'Köln' });
    stage.session.sendToolResult({ content: [] });
    stage.session.sendToolCancelled('no');
    stage.server.emit({ type: 'lost', reason: 'exit code 1' });
    await settle();
    expect(statusOf(stage)).toBe('ready');
    expect(stage.server.reads).toEqual([uiUri]);
    expect(stage.methods().filter((method) => method.includes('/tool-'))).toEqual([]);
    expect(stage.received.find(({ id }) => id === 'init')?.result?.hostContext).not.toHaveProperty(
      'toolInfo',
    );
    expect(stage.kinds('dropped')).toEqual(
      [
        'tool-input',
        'tool-input-partial',
        'tool-input-text',
        'tool-input',
        'tool-result',
        'tool-cancelled',
      ].map((what) => ({ reason: 'no tool', what })),
    );
  });

  test('needs an address that is one of a UI', async () => {
    for (const [resourceUri, code] of [
      ['https://example.com/', 'resource-uri'],
      [undefined, 'resource-missing'],
    ] as const) {
      const stage = createStage({ tool: undefined, resourceUri } as Partial<SessionOptions>); // absent, as above
      stage.session.start();
      await until(() => expect(codeOf(stage)).toBe(code));
      expect(stage.server.reads).toEqual([]);
    }
  });

  test('may be another resource than the tool names', async () => {
    const server = createPlainServer();
    const other = 'ui://weather/other';
    server.onRead = (uri) => appContents({ uri });
    const stage = createStage({ server, tool: uiTool, resourceUri: other });
    await stage.ready();
    expect(server.reads).toEqual([other]);
    expect(stage.session.getSnapshot().resource?.uri).toBe(other);
  });
});

describe('a tool that ends', () => {
  const endings: [string, (stage: Stage) => void, RegExp | undefined][] = [
    ['because the user gave it up', (stage) => stage.session.sendToolCancelled('gave up'), /^gave up$/],
    ['for no said reason', (stage) => stage.session.sendToolCancelled(), undefined],
    ['with its server', (stage) => stage.server.emit({ type: 'lost', reason: 'exit code 3' }), /exit code 3/],
  ];
  for (const [when, end, reason] of endings) {
    verifies('HOST-071', `${when} is told as cancelled, before and after the app is ready`, async () => {
      for (const isEarly of [true, false]) {
        const stage = createStage({ toolInput: {} });
        await stage.handOver();
        if (isEarly) end(stage);
        await stage.ask('init', 'ui/initialize', initializeParams);
        await stage.send(initialized);
        if (!isEarly) end(stage);
        stage.session.sendToolResult({ content: [] });
        await settle();
        const last = stage.received.at(-1);
        expect(last?.method).toBe('ui/notifications/tool-cancelled');
        if (reason) expect(last?.params?.reason).toMatch(reason);
        else expect(last?.params).toEqual({});
      }
    });
  }

  test('with its result is not cancelled when its server is lost afterwards', async () => {
    const stage = createStage({ toolInput: {} });
    await stage.ready();
    stage.session.sendToolResult({ content: [] });
    stage.server.emit({ type: 'lost', reason: 'exit code 3' });
    await settle();
    expect(stage.methods().at(-1)).toBe('ui/notifications/tool-result');
  });
});

describe('the health of an app', () => {
  test('silent is a trouble it recovers from, with a stop at hand', async () => {
    const stage = createStage();
    await stage.ready();
    await stage.proxy('app-health', { state: 'silent' });
    await stage.proxy('app-health', { state: 'silent' });
    expect(stage.session.getSnapshot()).toMatchObject({
      status: 'ready',
      failure: { code: 'app-not-responding', step: 'running', hint: expect.stringContaining('stop it') },
    });
    await stage.proxy('app-health', { state: 'alive' });
    expect(stage.session.getSnapshot().failure).toBeUndefined();
    await stage.proxy('app-health', { state: 'silent' });
    stage.session.stop();
    await settle();
    expect(stage.session.getSnapshot()).toMatchObject({ status: 'failed', failure: { code: 'app-stopped' } });
    expect(isEmpty(stage)).toBe(true);
    // Nobody who does not respond is asked, so nobody waits.
    expect(stage.methods()).not.toContain('ui/resource-teardown');
  });

  test('a stand-still that nobody could see while it lasted is told afterwards, with its length', async () => {
    const stage = createStage();
    await stage.ready();
    await stage.proxy('app-health', { state: 'stood-still', ms: 8040 });
    const { status, failure, findings } = stage.session.getSnapshot();
    expect({ status, failure }).toEqual({ status: 'ready', failure: undefined });
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'app-not-responding', message: expect.stringContaining('8.0 s') }),
    );
  });

  test('silent covers a lost server only as long as it lasts, and ends with its document', async () => {
    const stage = createStage();
    await stage.ready();
    stage.server.emit({ type: 'lost', reason: 'exit code 1' });
    await stage.proxy('app-health', { state: 'silent' });
    expect(codeOf(stage)).toBe('app-not-responding');
    await stage.proxy('app-health', { state: 'alive' });
    expect(codeOf(stage)).toBe('server-lost');
    await stage.proxy('app-health', { state: 'silent' });
    await stage.proxy('loader-ready');
    expect(stage.session.getSnapshot()).toMatchObject({
      status: 'handshake',
      failure: { code: 'server-lost' },
    });
  });

  test('gone ends it as crashed, at once', async () => {
    for (const isReady of [true, false]) {
      const stage = createStage();
      if (isReady) await stage.ready();
      else await stage.handOver();
      await stage.proxy('app-health', { state: 'gone' });
      expect(stage.session.getSnapshot()).toMatchObject({
        status: 'failed',
        failure: { code: 'app-crashed' },
      });
      expect(isEmpty(stage)).toBe(true);
      expect(stage.methods()).not.toContain('ui/resource-teardown');
    }
  });

  test('is in the recording', async () => {
    const stage = createStage();
    await stage.ready();
    await stage.proxy('app-health', { state: 'silent' });
    expect(stage.kinds('lifecycle')).toContainEqual({ type: 'app-health', state: 'silent' });
    expect(stage.kinds('lifecycle')).toContainEqual(expect.objectContaining({ type: 'app-silent' }));
  });
});

describe('an app whose handshake does not end', () => {
  const silent = async (
    prepare: (stage: Stage) => Promise<unknown>,
    step: 'handshake' | 'initialized' = 'handshake',
  ) => {
    holdTime();
    const stage = createStage({ limits: { handshakeMs: 120 } });
    await stage.handOver();
    await prepare(stage);
    await vi.advanceTimersByTimeAsync(119);
    expect(statusOf(stage)).toBe('handshake');
    await vi.advanceTimersByTimeAsync(1);
    expect(statusOf(stage)).toBe('failed');
    const { failure } = stage.session.getSnapshot();
    expect(failure?.step).toBe(step);
    return failure;
  };
  const error = { message: 'Uncaught TypeError: x is null', sourceFile: 'about:srcdoc', line: 12, column: 3 };
  const evalError = { message: "Uncaught EvalError: … because 'unsafe-eval' is not an allowed source" };
  const evaluation = { directive: 'script-src', blockedUri: 'eval' };
  const ask = (stage: Stage, protocolVersion: string) =>
    stage.ask(1, 'ui/initialize', { ...initializeParams, protocolVersion });

  test('after an uncaught error is called script-error and says which', async () => {
    const failure = await silent((stage) => stage.proxy('script-error', error));
    expect(failure).toMatchObject({ code: 'script-error', hint: expect.any(String) });
    expect(failure?.message).toContain('x is null (about:srcdoc:12)');
  });

  test('after an uncaught error between initialize and initialized as well', async () => {
    const failure = await silent(async (stage) => {
      await ask(stage, '2026-01-26');
      await stage.proxy('script-error', error);
    }, 'initialized');
    expect(failure?.code).toBe('script-error');
  });

  test('after a blocked eval that threw is called eval-blocked', async () => {
    const failure = await silent(async (stage) => {
      await stage.proxy('violation', evaluation);
      await stage.proxy('script-error', evalError);
    });
    expect(failure).toMatchObject({
      code: 'eval-blocked',
      hint: expect.stringContaining('Build the app'),
    });
  });

  test('after an eval that was only tried is not', async () => {
    expect(await silent((stage) => stage.proxy('violation', evaluation))).toMatchObject({
      code: 'no-initialize',
    });
  });

  test('after an eval it could do without is named by the error that came then', async () => {
    const failure = await silent(async (stage) => {
      await stage.proxy('violation', evaluation);
      await stage.proxy('script-error', error);
    });
    expect(failure?.code).toBe('script-error');
  });

  test('after asking for another version is called unsupported-version', async () => {
    const failure = await silent((stage) => ask(stage, '2025-01-01\u202e'), 'initialized');
    expect(failure).toMatchObject({
      code: 'unsupported-version',
      hint: expect.stringContaining('2026-01-26'),
    });
    expect(failure?.message).toContain('2025-01-01\\u{202e}');
  });

  test('because its thread is busy is called app-not-responding', async () => {
    expect(await silent((stage) => stage.proxy('app-health', { state: 'silent' }))).toMatchObject({
      code: 'app-not-responding',
    });
  });

  test('after asking for ours keeps its name', async () => {
    expect(await silent((stage) => ask(stage, '2026-01-26'), 'initialized')).toMatchObject({
      code: 'initialized-missing',
    });
  });
});

describe('script errors', () => {
  test('are kept, the first twenty, and named as findings; a reload forgets them', async () => {
    holdTime();
    const stage = createStage({ limits: { teardownMs: 10 } });
    await stage.ready();
    for (let index = 0; index < 30; index += 1) {
      await stage.proxy('script-error', { message: `boom ${index}\u0000\n at x` });
    }
    const { scriptErrors, findings, status } = stage.session.getSnapshot();
    expect(status).toBe('ready');
    expect(scriptErrors).toHaveLength(20);
    expect(findings).toHaveLength(20);
    expect(findings[0]).toMatchObject({
      code: 'script-error',
      message: expect.stringMatching(/: boom 0\\u\{0\} +at x$/),
    });
    stage.session.reload();
    await vi.advanceTimersByTimeAsync(10);
    await until(() => expect(statusOf(stage)).toBe('sandbox'));
    expect(stage.session.getSnapshot().scriptErrors).toEqual([]);
  });
});

describe('stop', () => {
  const states: [string, (stage: Stage) => Promise<unknown> | undefined][] = [
    ['before its start', () => undefined],
    ['at its start', (stage) => Promise.resolve(stage.session.start())],
    ['while its resource is read', (stage) => (stage.session.start(), settle())],
    ['in its sandbox', (stage) => stage.mount()],
    ['in its handshake', (stage) => stage.handOver()],
    ['ready', (stage) => stage.ready()],
  ];
  for (const [when, bring] of states) {
    test(`ends an app ${when}, at once and without a trace`, async () => {
      holdTime();
      const server = createPlainServer();
      if (when.endsWith('is read')) server.onRead = () => never;
      const stage = createStage({ server });
      await bring(stage);
      stage.session.stop();
      expect(stage.session.getSnapshot()).toMatchObject({
        status: 'failed',
        failure: { code: 'app-stopped' },
      });
      await settle();
      // Longer than any limit of a step.
      await vi.advanceTimersByTimeAsync(60_000);
      await settle();
      expect(codeOf(stage)).toBe('app-stopped');
      expect(isEmpty(stage)).toBe(true);
      await stage.session.close();
      expect(statusOf(stage)).toBe('closed');
      expect(server.subscribers).toBe(0);
    });
  }

  test('can be followed by a reload, also when it came before anything was loaded', async () => {
    const stage = createStage();
    stage.session.start();
    stage.session.stop();
    stage.session.reload();
    await until(() => expect(statusOf(stage)).toBe('sandbox'));
    expect(stage.session.getSnapshot().failure).toBeUndefined();
  });

  test('during a teardown ends it at once', async () => {
    const stage = createStage({ limits: { teardownMs: 60_000 } });
    await stage.ready();
    const closed = stage.session.close();
    await settle();
    expect(statusOf(stage)).toBe('tearing-down');
    stage.session.stop();
    expect(statusOf(stage)).toBe('closed');
    expect(isEmpty(stage)).toBe(true);
    await closed;
    expect(stage.kinds('lifecycle')).toContainEqual({ type: 'teardown-skipped', cause: 'stopped' });
    expect(stage.kinds('lifecycle')).toContainEqual({ type: 'teardown', outcome: 'unanswered' });
  });
});

describe('closing', () => {
  verifies(
    ['HOST-092', 'S1-113'],
    'serves an app that still saves until it answers; what comes behind the answer is refused and recorded',
    async () => {
      const stage = createStage();
      await stage.ready();
      const closed = stage.session.close('done');
      await settle();
      const teardown = stage.received.at(-1);
      expect(teardown?.method).toBe('ui/resource-teardown');
      expect(await stage.ask('saving', 'tools/call', { name: 'weather' })).toHaveProperty('result');
      const end = stage.surface.frames[0]?.end;
      stage.recording.subscribe((entry) => {
        if ((entry.raw as { type?: string }).type !== 'torn-down') return; // lifecycle entries have one
        end?.send({ jsonrpc: '2.0', id: 'late', method: 'tools/call', params: { name: 'weather' } });
      });
      end?.send({ jsonrpc: '2.0', id: teardown?.id as number, result: {} }); // ours are numbers
      await closed;
      expect(stage.server.calls).toHaveLength(1);
      expect(stage.kinds('decision').at(-1)).toMatchObject({ method: 'tools/call', allow: false });
      expect(statusOf(stage)).toBe('closed');
      expect(isEmpty(stage)).toBe(true);
    },
  );

  /** A stage whose app is asked to stop and has all the time of the world. */
  const closing = async (options: Parameters<typeof createStage>[0] = {}) => {
    const stage = createStage({ limits: { teardownMs: 60_000 }, ...options });
    await stage.ready();
    const closed = stage.session.close('done');
    await settle();
    const { id } = stage.received.at(-1) ?? {};
    return { stage, closed, id };
  };

  test('waits five seconds unless said otherwise', () => expect(defaultLimits.teardownMs).toBe(5_000));

  test('serves an app that saves in several steps, one after the other', async () => {
    const { stage, closed, id } = await closing();
    for (const step of ['first', 'second', 'third']) {
      expect(await stage.ask(step, 'tools/call', { name: 'weather' })).toHaveProperty('result');
    }
    await stage.send({ jsonrpc: '2.0', id, result: {} });
    await closed;
    expect(stage.server.calls).toHaveLength(3);
  });

  test.each([-32601, -32000, -1])('ends with an error as with any answer: %d', async (code) => {
    const { stage, closed, id } = await closing();
    await stage.send({ jsonrpc: '2.0', id, error: { code, message: 'no' } });
    await closed;
    expect(stage.kinds('lifecycle')).toContainEqual({ type: 'teardown', outcome: 'answered with an error' });
  });

  const ends: [string, (stage: Stage) => Promise<unknown>][] = [
    ['whose document is gone', (stage) => stage.proxy('app-health', { state: 'gone' })],
    ['whose thread hangs', (stage) => stage.proxy('app-health', { state: 'silent' })],
    ['that starts over', (stage) => stage.proxy('loader-ready')],
    ['that goes elsewhere', (stage) => stage.proxy('frame-loaded', { sinceLoaderReady: 1, left: true })],
    ['whose proxy starts over', (stage) => stage.proxy('proxy-ready')],
    ['that floods', (stage) => stage.proxy('dropped', { count: 200_000, reason: 'flood' })],
  ];
  test.each(ends)('does not wait for an app %s', async (_, happen) => {
    const { stage, closed } = await closing();
    await happen(stage);
    await closed;
    expect(statusOf(stage)).toBe('closed');
    expect(isEmpty(stage)).toBe(true);
    expect(stage.kinds('lifecycle')).toContainEqual({ type: 'teardown', outcome: 'unanswered' });
  });

  test('an app that was known to hang waits a moment only', async () => {
    holdTime();
    const stage = createStage({ limits: { teardownMs: 60_000 } });
    await stage.ready();
    await stage.proxy('app-health', { state: 'silent' });
    const closed = stage.session.close();
    await vi.advanceTimersByTimeAsync(499);
    expect(statusOf(stage)).toBe('tearing-down');
    await vi.advanceTimersByTimeAsync(1);
    await closed;
    expect(statusOf(stage)).toBe('closed');
  });

  test('leaves the app no way to the user: no question, no mode, no second wish to go', async () => {
    const asked: string[] = [];
    const yes = (what: string) => async () => {
      asked.push(what);
      return true;
    };
    const server = createPlainServer();
    server.tools = [
      uiTool,
      { name: 'wipe', inputSchema: { type: 'object' }, annotations: { destructiveHint: true } },
    ];
    const { stage, closed, id } = await closing({
      server,
      displayModes: ['inline', 'fullscreen'],
      onOpenLink: yes('link'),
      links: { trusted: ['https://example.com'] },
      onMessage: yes('message'),
      onDownload: yes('download'),
      onSampling: yes('sampling'),
      createMessage: async () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: '' } }),
      onToolCall: yes('tool'),
      onRequestTeardown: () => asked.push('teardown') > 0,
    });
    const text = { type: 'text', text: 'hi' };
    const file = { type: 'resource', resource: { uri: 'file:///a.txt', text: 'a' } };
    for (const [method, params] of [
      ['ui/open-link', { url: 'https://example.com' }],
      ['ui/message', { role: 'user', content: [text] }],
      ['ui/download-file', { contents: [file] }],
      ['sampling/createMessage', { messages: [{ role: 'user', content: text }], maxTokens: 5 }],
      ['tools/call', { name: 'wipe' }],
    ] as const) {
      const { error } = await stage.ask(method, method, params);
      expect([method, error?.data]).toEqual([
        method,
        { code: 'session-closed', hint: expect.stringContaining('Ask while the app is shown') },
      ]);
    }
    const mode = await stage.ask('mode', 'ui/request-display-mode', { mode: 'fullscreen' });
    expect(mode.result).toEqual({ mode: 'inline' });
    stage.session.setDisplayMode('fullscreen');
    await stage.send({ jsonrpc: '2.0', method: 'ui/notifications/request-teardown' });
    expect([asked, stage.surface.modes, stage.surface.links]).toEqual([[], [], []]);
    await stage.send({ jsonrpc: '2.0', id, result: {} });
    await closed;
  });

  test('calls off a question that is open, and frees its place for others', async () => {
    let open: AbortSignal | undefined;
    const stage = createStage({
      limits: { teardownMs: 60_000 },
      onOpenLink: (_, { signal }) => {
        open = signal;
        return never;
      },
    });
    await stage.ready();
    await stage.send({
      jsonrpc: '2.0',
      id: 'q',
      method: 'ui/open-link',
      params: { url: 'https://example.com' },
    });
    expect(open?.aborted).toBe(false);
    const closed = stage.session.close();
    await settle();
    expect(open?.aborted).toBe(true);
    expect(stage.received.find(({ id, error }) => id === 'q' && error)?.error?.data?.code).toBe(
      'session-closed',
    );
    const next = createStage({ onOpenLink: async () => true });
    await next.ready();
    expect((await next.ask(1, 'ui/open-link', { url: 'https://example.com' })).result).toEqual({});
    stage.session.stop();
    await closed;
  });

  test('twice is closing once', async () => {
    holdTime();
    const stage = createStage({ limits: { teardownMs: 20 } });
    await stage.ready();
    const [first, second] = [stage.session.close('a'), stage.session.close('b')];
    expect(first).toBe(second);
    await vi.advanceTimersByTimeAsync(20);
    await first;
    expect(stage.methods().filter((method) => method === 'ui/resource-teardown')).toHaveLength(1);
    expect(
      stage.kinds('lifecycle').filter((entry) => (entry as { type: string }).type === 'removed'),
    ).toHaveLength(1);
  });

  test('before the start, at the start and while the server reads leaves nothing behind', async () => {
    for (const bring of [
      () => undefined,
      (stage: Stage) => stage.session.start(),
      async (stage: Stage) => (stage.session.start(), settle()),
    ]) {
      const server = createPlainServer();
      let signal: AbortSignal | undefined;
      server.readResource = (_, options) => {
        signal = options.signal;
        return never;
      };
      const stage = createStage({ server });
      await bring(stage);
      await stage.session.close();
      expect(statusOf(stage)).toBe('closed');
      expect(server.subscribers).toBe(0);
      await settle();
      expect(stage.surface.frames).toEqual([]);
      if (signal) await until(() => expect(signal?.aborted).toBe(true));
    }
  });

  test('wins over a reload that is under way', async () => {
    holdTime();
    const stage = createStage({ limits: { teardownMs: 30 } });
    await stage.ready();
    stage.session.reload();
    const closed = stage.session.close();
    await vi.advanceTimersByTimeAsync(30);
    await closed;
    await vi.advanceTimersByTimeAsync(60_000);
    // What a reload does when it is not called off takes more than timers: reading, and a hash.
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect(statusOf(stage)).toBe('closed');
    expect(stage.server.reads).toHaveLength(1);
    expect(stage.surface.frames).toHaveLength(1);
  });
});

describe('a reload', () => {
  test('does not wait for an app that does nothing, and waits for one that saves', async () => {
    holdTime();
    const deaf = createStage({ limits: { teardownMs: 60_000 } });
    await deaf.ready();
    deaf.session.reload();
    await vi.advanceTimersByTimeAsync(499);
    expect(deaf.surface.frames[0]?.isThere).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(deaf.surface.frames[0]?.isThere).toBe(false);

    const busy = createStage({ limits: { teardownMs: 60_000 } });
    await busy.ready();
    busy.session.reload();
    await settle();
    const { id } = busy.received.at(-1) ?? {};
    expect(await busy.ask('saving', 'tools/call', { name: 'weather' })).toHaveProperty('result');
    // Longer than an app that does nothing is waited for.
    await vi.advanceTimersByTimeAsync(700);
    expect(busy.surface.frames[0]?.isThere).toBe(true);
    expect(await busy.ask('more', 'tools/call', { name: 'weather' })).toHaveProperty('result');
    await busy.send({ jsonrpc: '2.0', id, result: {} });
    await until(() => expect(busy.surface.frames[0]?.isThere).toBe(false));
    for (const { session } of [deaf, busy]) void session.close();
  });

  test('is called off by Stop, and can be asked for again', async () => {
    const stage = createStage({ limits: { teardownMs: 60_000 } });
    await stage.ready();
    stage.session.reload();
    await settle();
    stage.session.stop();
    await settle();
    expect(stage.session.getSnapshot()).toMatchObject({
      status: 'failed',
      failure: { code: 'app-stopped' },
    });
    expect(stage.surface.frames).toHaveLength(1);
    stage.session.reload();
    await until(() => expect(stage.surface.frames).toHaveLength(2));
    void stage.session.close();
  });
});

describe('two hundred sessions', () => {
  test('leave no timer, no listener and no frame behind, however they ended', async () => {
    holdTime();
    const server = createPlainServer();
    const page = {};
    let listening = 0;
    const ends: ((stage: Stage) => Promise<unknown> | undefined)[] = [
      (stage) => stage.session.close(),
      (stage) => Promise.resolve(stage.session.skipTeardown('removed-by-others')),
      (stage) => Promise.resolve(stage.session.stop()).then(() => stage.session.close()),
      (stage) => stage.proxy('app-health', { state: 'gone' }).then(() => stage.session.close()),
    ];
    for (let cycle = 0; cycle < 200; cycle += 1) {
      const stage = createStage({ server }, page);
      const { mount } = stage.surface;
      stage.surface.mount = (spec) => {
        const transport = mount(spec);
        return {
          ...transport,
          subscribe(listener) {
            listening += 1;
            const stop = transport.subscribe(listener);
            return () => {
              listening -= 1;
              stop();
            };
          },
        };
      };
      if (cycle % 5 === 3) {
        // Some are taken away in the middle of their handshake,
        await stage.handOver();
        stage.session.skipTeardown('removed-by-others');
      } else if (cycle % 5 === 4) {
        // some are closed while they load,
        stage.session.start();
        await stage.session.close();
      } else {
        // the others with sizes that wait for a second try, a load to be explained and half an input.
        await stage.ready();
        stage.createApp({ 'ui/resource-teardown': () => ({}) });
        for (let size = 1; size < 15; size += 1) {
          stage.surface.frames[0]?.end.send({
            jsonrpc: '2.0',
            method: 'ui/notifications/size-changed',
            params: { height: 100 * size },
          });
        }
        await stage.proxy('frame-loaded', { sinceLoaderReady: 2 });
        delete stage.surface.nextFrame;
        stage.session.sendToolInputText('{"city":"K');
        const ending = ends[cycle % ends.length]?.(stage);
        // An app that answers is gone after its afterword: what still waited then would fire later.
        await settle();
        await vi.advanceTimersByTimeAsync(50);
        await ending;
      }
      expect(statusOf(stage)).toBe('closed');
      expect(isEmpty(stage)).toBe(true);
      await settle();
      expect([cycle, vi.getTimerCount()]).toEqual([cycle, 0]);
    }
    expect(server.subscribers).toBe(0);
    expect(listening).toBe(0);
  }, 60_000);
});

describe('many apps of one page', () => {
  test('come up four at a time; one that is up, gone or stopped makes room, one that left the queue does not come', async () => {
    const page = {};
    const stages = Array.from({ length: 8 }, () => createStage({}, page));
    const isUp = (stage: Stage): boolean => stage.surface.frames.length > 0;
    const count = (): number => stages.filter(isUp).length;
    const counts = (expected: number) => until(() => expect(count()).toBe(expected));
    for (const { session } of stages) session.start();
    await counts(4);
    await settle();
    expect(count()).toBe(4);
    // Who has its plan first asks first, so the four are whichever were quickest.
    const [first, second, third] = stages.filter(isUp);
    const left = stages.find((stage) => !isUp(stage));
    await left?.session.close();
    await first?.handOver();
    await first?.ask(1, 'ui/initialize', initializeParams);
    expect(count()).toBe(4);
    await first?.send(initialized);
    await counts(5);
    await second?.session.close();
    await counts(6);
    third?.session.stop();
    await counts(7);
    expect(left?.surface.frames).toEqual([]);
    for (const { session } of stages) void session.close();
  });

  test('wait three seconds at most for those before them', async () => {
    holdTime();
    const page = {};
    const stages = Array.from({ length: 5 }, () => createStage({}, page));
    for (const { session } of stages) session.start();
    const areUp = (count: number): void =>
      expect(stages.filter(({ surface }) => surface.frames.length > 0)).toHaveLength(count);
    // Hashing takes its own time, which no timer counts.
    await until(() => areUp(4));
    for (let turn = 0; turn < 20; turn += 1) await settle();
    await vi.advanceTimersByTimeAsync(2_999);
    await settle();
    areUp(4);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => areUp(5));
    for (const { session } of stages) void session.close();
  });
});

test('an app that hung and was stopped comes back only when the browser has let its process go', async () => {
  holdTime();
  const stage = createStage();
  await stage.ready();
  await stage.proxy('app-health', { state: 'silent' });
  stage.session.stop();
  await settle();
  stage.session.reload();
  for (let turn = 0; turn < 20; turn += 1) await settle();
  await vi.advanceTimersByTimeAsync(3_000);
  for (let turn = 0; turn < 20; turn += 1) await settle();
  expect(stage.surface.frames).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  await until(() => expect(stage.surface.frames).toHaveLength(2));
  expect(stage.session.getSnapshot().status).not.toBe('failed');
  await stage.session.close();
});
