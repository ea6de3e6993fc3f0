import { createMemoryTransportPair } from '@casement/protocol';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { everything, openHost, settle, type HostPlan } from './host.test-support.js';
import { App, AppError, type AppCapabilities, type AppOptions } from './index.js';

const info = { name: 'ours', version: '1.2.3' };

const modes: AppCapabilities = { availableDisplayModes: ['inline', 'fullscreen', 'pip'] };

const open = async (plan?: HostPlan, capabilities: AppCapabilities = modes, options?: AppOptions) => {
  const { host, transport } = openHost(plan);
  const app = new App(info, capabilities, options);
  await app.connect(transport);
  await settle();
  return { app, host };
};

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'fulfilled',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

const rejections: unknown[] = [];
const onRejection = (reason: unknown): void => void rejections.push(reason);
beforeEach(() => {
  rejections.length = 0;
  process.on('unhandledRejection', onRejection);
});
afterEach(async () => {
  await settle();
  process.off('unhandledRejection', onRejection);
  expect(rejections).toEqual([]);
});

describe('the handshake', () => {
  verifies(
    ['VIEW-001', 'VIEW-002', 'VIEW-003', 'VIEW-004', 'S3-80', 'S4-07', 'S4-22', 'S4-23'],
    'is begun by the app with what it can do; nothing else is sent before it is answered and confirmed',
    async () => {
      let answer = (): void => undefined;
      const asked = new Promise<void>((resolve) => (answer = resolve));
      const { host, transport } = openHost({
        handlers: {
          'ui/initialize': async (params) => {
            host.heard.push({ method: 'ui/initialize', params });
            await asked;
            return {
              protocolVersion: '2026-01-26',
              hostInfo: info,
              hostCapabilities: everything,
              hostContext: {},
            };
          },
        },
      });
      const app = new App(info, modes);
      const connected = app.connect(transport);
      const called = app.callServerTool({ name: 'echo', arguments: { a: 1 } });
      void app.sendLog({ level: 'info', data: 'early' });
      await settle();
      expect(host.heard).toEqual([
        {
          method: 'ui/initialize',
          params: { appInfo: info, appCapabilities: modes, protocolVersion: '2026-01-26' },
        },
      ]);
      answer();
      await connected;
      expect(await called).toEqual({
        content: [{ type: 'text', text: 'done' }],
        structuredContent: { a: 1 },
      });
      expect(host.methods()).toEqual([
        'ui/initialize',
        'ui/notifications/initialized',
        'tools/call',
        'notifications/message',
      ]);
      expect(host.invalid).toEqual([]);
    },
  );

  test('tells who the host is, what it offers and where the app is', async () => {
    const { app } = await open();
    expect(app.getHostVersion()).toEqual({ name: 'test host', version: '1.0.0' });
    expect(app.getHostCapabilities()).toEqual(everything);
    expect(app.getHostContext()).toEqual({ theme: 'dark', locale: 'de-CH' });
  });

  test('is shaken once, however often it is asked for', async () => {
    const { app, host } = await open();
    await app.connect();
    expect(host.methods().filter((method) => method === 'ui/initialize')).toHaveLength(1);
  });

  test.each([
    ['no object', 7],
    ['capabilities that are none', { hostCapabilities: true }],
    ['a context that is none', { hostContext: [] }],
  ])('with %s as answer is a typed error, and can be tried again', async (_name, result) => {
    const [near, far] = createMemoryTransportPair();
    near.subscribe((data) => {
      const { id, method } = data as { id: number; method: string }; // what the app sends
      // On purpose not what the protocol allows.
      if (method === 'ui/initialize') near.send({ jsonrpc: '2.0', id, result } as never);
    });
    const app = new App(info);
    const connected = codeOf(app.connect(far));
    const waiting = codeOf(app.callServerTool({ name: 'x' }));
    expect([await connected, await waiting]).toEqual(['malformed', 'malformed']);
    expect(await codeOf(app.callServerTool({ name: 'x' }))).toBe('not-connected');
    const { transport } = openHost();
    await app.connect(transport);
  });
});

describe('what the host tells', () => {
  verifies(
    ['S3-15', 'S3-16', 'S3-17', 'S3-18', 'S4-27'],
    'reaches handlers and listeners in order, with all it carries',
    async () => {
      const { app, host } = await open();
      const told: unknown[] = [];
      app.ontoolinput = (params) => told.push(['ontoolinput', params]);
      app.ontoolinputpartial = (params) => told.push(['ontoolinputpartial', params]);
      app.ontoolresult = (params) => told.push(['ontoolresult', params]);
      app.ontoolcancelled = (params) => told.push(['ontoolcancelled', params]);
      app.onhostcontextchanged = (params) => told.push(['onhostcontextchanged', params]);
      const off = app.on('toolinput', (params) => told.push(['listener', params]));
      const { peer } = host;
      peer.notify('ui/notifications/tool-input-partial', { arguments: { city: 'B' } });
      peer.notify('ui/notifications/tool-input', { arguments: { city: 'Bern' } });
      peer.notify('ui/notifications/tool-result', { content: [], structuredContent: { degrees: 3 } });
      peer.notify('ui/notifications/tool-cancelled', { reason: 'stop' });
      await settle();
      off();
      peer.notify('ui/notifications/tool-input', { arguments: {} });
      peer.notify('ui/notifications/host-context-changed', { theme: 'light' });
      await settle();
      expect(told).toEqual([
        ['ontoolinputpartial', { arguments: { city: 'B' } }],
        ['ontoolinput', { arguments: { city: 'Bern' } }],
        ['listener', { arguments: { city: 'Bern' } }],
        ['ontoolresult', { content: [], structuredContent: { degrees: 3 } }],
        ['ontoolcancelled', { reason: 'stop' }],
        ['ontoolinput', { arguments: {} }],
        ['onhostcontextchanged', { theme: 'light' }],
      ]);
      expect(app.toolResult).toEqual({ content: [], structuredContent: { degrees: 3 } });
    },
  );

  verifies('VIEW-010', 'of its context is merged into what is known', async () => {
    const { app, host } = await open();
    host.peer.notify('ui/notifications/host-context-changed', { theme: 'light' });
    host.peer.notify('ui/notifications/host-context-changed', { timeZone: 'Europe/Zurich' });
    await settle();
    expect(app.getHostContext()).toEqual({ theme: 'light', locale: 'de-CH', timeZone: 'Europe/Zurich' });
  });

  test('that is not valid goes to onerror and breaks nothing; strangers’ messages are nobody’s business', async () => {
    const [near, far] = createMemoryTransportPair();
    const answers: unknown[] = [];
    near.subscribe((data) => {
      const { id, method } = data as { id: number; method?: string }; // what the app sends
      if (method === 'ui/initialize') near.send({ jsonrpc: '2.0', id, result: {} });
      else if (method === undefined) answers.push(data);
    });
    const app = new App(info);
    const errors: unknown[] = [];
    const inputs: unknown[] = [];
    app.onerror = (error) => errors.push(error instanceof AppError ? error.code : error);
    app.ontoolinput = ({ arguments: args }) => inputs.push(args);
    await app.connect(far);
    const messages: unknown[] = [
      ...[
        null,
        'text',
        7,
        [],
        {},
        { jsonrpc: '1.0', method: 'ui/notifications/tool-input' },
        { type: 'other' },
      ],
      { jsonrpc: '2.0' },
      { jsonrpc: '2.0', id: {}, method: 'ping' },
      { jsonrpc: '2.0', id: 'p', method: 'ping', params: 7 },
      { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: [1] },
      { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: 'text' } },
      { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: { content: 'text' } },
      { jsonrpc: '2.0', method: 'ui/notifications/unheard-of' },
      { jsonrpc: '2.0', method: '__proto__' },
      { jsonrpc: '2.0', id: 99, result: {} },
      { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { last: true } } },
    ];
    for (const message of messages) near.send(message as never); // on purpose not what the type allows
    await settle();
    expect(errors).toEqual(Array.from({ length: 6 }, () => 'malformed'));
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: 'p', error: { code: -32602, message: 'Invalid params' } },
    ]);
    expect(inputs).toEqual([{ last: true }]);
  });

  test('to a handler that throws does not keep it from the others', async () => {
    const { app, host } = await open();
    const errors: unknown[] = [];
    app.onerror = (error) => errors.push(String(error));
    app.ontoolinput = () => {
      throw new Error('mine');
    };
    const heard = vi.fn();
    app.addEventListener('toolinput', heard);
    host.peer.notify('ui/notifications/tool-input', { arguments: {} });
    await settle();
    expect(heard).toHaveBeenCalledOnce();
    expect(errors).toEqual(['Error: ontoolinput: mine']);
  });

  test('to code of the app that throws is an uncaught error of the page, with the name of the handler', async () => {
    const reported: unknown[] = [];
    vi.stubGlobal('reportError', (error: unknown) => reported.push(String(error)));
    const { app, host } = await open();
    const fail = (message: string) => (): never => {
      throw new TypeError(message);
    };
    const fixed = Object.freeze(new Error('frozen'));
    app.ontoolinput = fail('a');
    app.on('toolresult', fail('b'));
    app.onteardown = fail('c');
    app.ontoolcancelled = () => {
      throw fixed;
    };
    // Its own error of this package is a mistake as well: the app never said that it has tools.
    app.onhostcontextchanged = () => void app.registerTool('late', {}, () => ({ content: [] }));
    host.peer.notify('ui/notifications/tool-input', { arguments: {} });
    host.peer.notify('ui/notifications/tool-result', { content: [] });
    host.peer.notify('ui/notifications/tool-cancelled', {});
    host.peer.notify('ui/notifications/host-context-changed', {});
    await host.peer.request('ui/resource-teardown', {});
    await settle();
    expect(reported).toEqual([
      'TypeError: ontoolinput: a',
      'TypeError: ontoolresult: b',
      'Error: frozen',
      'AppError: onhostcontextchanged: Name tools: { listChanged: true } in the capabilities first.',
      'TypeError: onteardown: c',
    ]);
    // What a host does wrong is no error of the page.
    const errors: unknown[] = [];
    app.onerror = (error) => errors.push(error instanceof AppError && error.code);
    host.peer.notify('ui/notifications/tool-result', { content: 'none' } as never);
    await settle();
    expect([errors, reported.length]).toEqual([['malformed'], 5]);
    vi.unstubAllGlobals();
  });
});

describe('who listens late', () => {
  const tell = async (host: Awaited<ReturnType<typeof open>>['host']): Promise<void> => {
    host.peer.notify('ui/notifications/tool-input-partial', { arguments: { a: 0 } });
    host.peer.notify('ui/notifications/tool-input', { arguments: { a: 1 } });
    host.peer.notify('ui/notifications/tool-result', { content: [] });
    host.peer.notify('ui/notifications/tool-cancelled', { reason: 'no' });
    host.peer.notify('ui/notifications/host-context-changed', { locale: 'fr' });
    host.peer.notify('ui/notifications/host-context-changed', { theme: 'light' });
    await settle();
  };
  const types = [
    'toolinputpartial',
    'toolinput',
    'toolresult',
    'toolcancelled',
    'hostcontextchanged',
  ] as const;
  const told = [
    ['toolinput', { arguments: { a: 1 } }],
    ['toolresult', { content: [] }],
    ['toolcancelled', { reason: 'no' }],
    // All that is known of it, not the last change alone; and no preview of what is complete.
    ['hostcontextchanged', { theme: 'light', locale: 'fr' }],
  ];

  test('is told the last event of its kind: once, and never within the call', async () => {
    const { app, host } = await open();
    await tell(host);
    const heard: unknown[] = [];
    for (const type of types) app.on(type, (params) => heard.push([type, params]));
    expect(heard).toEqual([]);
    await settle();
    expect(heard).toEqual(told);
    await tell(host);
    expect(heard).toHaveLength(told.length + 6);
  });

  test('by a handler set after connect() is told as well', async () => {
    const { app, host } = await open();
    await tell(host);
    const heard: unknown[] = [];
    const put = (type: string, params: unknown): void => void heard.push([type, params]);
    app.ontoolinputpartial = (params) => put('toolinputpartial', params);
    app.ontoolinput = (params) => put('toolinput', params);
    app.ontoolresult = (params) => put('toolresult', params);
    app.ontoolcancelled = (params) => put('toolcancelled', params);
    const onChange = (params: unknown): void => put('hostcontextchanged', params);
    app.onhostcontextchanged = onChange;
    expect(app.onhostcontextchanged).toBe(onChange);
    await settle();
    expect(heard).toEqual(told);
  });

  test('is told nothing twice, nor once it has left, been replaced, or the app was closed', async () => {
    const { app, host } = await open();
    await tell(host);
    const [heard, gone, replaced, late] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
    app.on('toolinput', heard);
    app.on('toolinput', heard);
    app.on('toolinput', gone)();
    app.ontoolinput = replaced;
    app.ontoolinput = undefined;
    await settle();
    app.on('toolinput', late);
    app.close();
    await settle();
    expect(heard).toHaveBeenCalledOnce();
    expect([gone, replaced, late].map(({ mock }) => mock.calls)).toEqual([[], [], []]);
  });

  test('is told once although it left and came back at once, as in the strict mode of React', async () => {
    const { app, host } = await open();
    await tell(host);
    const [back, again] = [vi.fn(), vi.fn()];
    app.on('toolinput', back)();
    app.on('toolinput', back);
    app.ontoolinput = again;
    app.ontoolinput = again;
    await settle();
    // A component that sets its handler whenever it is drawn would draw for ever.
    app.ontoolinput = again;
    await settle();
    expect(back).toHaveBeenCalledOnce();
    expect(again).toHaveBeenCalledOnce();
  });

  test('and hears a newer event meanwhile is told that one alone', async () => {
    const { app, host } = await open();
    await tell(host);
    const heard: unknown[] = [];
    app.on('toolinput', () => {
      // Added while the event is told: not part of it, so told it afterwards.
      app.on('toolinput', within);
    });
    const within = vi.fn();
    host.peer.notify('ui/notifications/tool-input', { arguments: { a: 2 } });
    app.on('toolinput', ({ arguments: args }) => heard.push(args));
    await settle();
    expect(heard.at(-1)).toEqual({ a: 2 });
    expect(heard.filter((args) => JSON.stringify(args) === '{"a":2}')).toHaveLength(1);
    expect(within).toHaveBeenCalledOnce();
  });

  test('of a class that brings a handler of its own has it called', async () => {
    const heard = vi.fn();
    class Own extends App {
      override ontoolinput = heard;
    }
    const { host, transport } = openHost();
    await new Own(info).connect(transport);
    await tell(host);
    expect(heard).toHaveBeenCalledOnce();
  });
});

describe('what an app asks', () => {
  verifies(
    ['S4-31', 'VIEW-015', 'VIEW-029'],
    'travels under the names of the specification and brings its answer back',
    async () => {
      const { app, host } = await open({ context: { availableDisplayModes: ['inline', 'fullscreen'] } });
      const content = [{ type: 'text' as const, text: 'Hi' }];
      const link = { type: 'resource_link' as const, uri: 'note://1', name: 'note' };
      const messages = [{ role: 'user' as const, content: { type: 'text', text: 'q' } }];
      expect(await app.readServerResource({ uri: 'note://1' })).toEqual({
        contents: [{ uri: 'note://1', text: 'read' }],
      });
      expect(await app.readResource('note://2')).toEqual({ contents: [{ uri: 'note://2', text: 'read' }] });
      expect(await app.listResources()).toEqual({ resources: [{ uri: 'note://1', name: 'note' }] });
      expect(await app.sendMessage({ content })).toEqual({});
      expect(await app.openLink({ url: 'https://example.com' })).toEqual({});
      expect(await app.updateModelContext({ structuredContent: { a: 1 } })).toEqual({});
      expect(await app.downloadFile({ contents: [link] })).toEqual({ isError: true });
      expect(await app.requestDisplayMode({ mode: 'fullscreen' })).toEqual({ mode: 'inline' });
      expect(await app.createSamplingMessage({ messages, maxTokens: 5 })).toMatchObject({ model: 'm' });
      await app.log('warning', { n: 1 });
      await app.requestTeardown();
      await app.sendSizeChanged({ width: 1, height: 2 });
      await settle();
      expect(host.heard.slice(2)).toEqual([
        { method: 'resources/read', params: { uri: 'note://1' } },
        { method: 'resources/read', params: { uri: 'note://2' } },
        { method: 'resources/list', params: {} },
        { method: 'ui/message', params: { role: 'user', content } },
        { method: 'ui/open-link', params: { url: 'https://example.com' } },
        { method: 'ui/update-model-context', params: { structuredContent: { a: 1 } } },
        { method: 'ui/download-file', params: { contents: [link] } },
        { method: 'ui/request-display-mode', params: { mode: 'fullscreen' } },
        { method: 'sampling/createMessage', params: { messages, maxTokens: 5 } },
        { method: 'notifications/message', params: { level: 'warning', data: { n: 1 } } },
        { method: 'ui/notifications/request-teardown', params: {} },
        { method: 'ui/notifications/size-changed', params: { width: 1, height: 2 } },
      ]);
      expect(host.invalid).toEqual([]);
    },
  );

  verifies(
    ['VIEW-004', 'VIEW-005', 'VIEW-006'],
    'of modes is only what both have; the mode in force is the answer',
    async () => {
      const context = {
        displayMode: 'inline' as const,
        availableDisplayModes: ['inline' as const, 'pip' as const],
      };
      const { app, host } = await open(
        { context },
        { availableDisplayModes: ['inline', 'fullscreen', 'pip'] },
      );
      expect(await app.requestDisplayMode({ mode: 'fullscreen' })).toEqual({ mode: 'inline' });
      expect(host.methods()).not.toContain('ui/request-display-mode');
      expect(await app.requestDisplayMode({ mode: 'pip' })).toEqual({ mode: 'inline' });
      expect(host.paramsOf('ui/request-display-mode')).toEqual([{ mode: 'pip' }]);
      const silent = await open({ context }, {});
      expect(await codeOf(silent.app.requestDisplayMode({ mode: 'pip' }))).toBe('undeclared');
    },
  );

  verifies(['VIEW-019', 'VIEW-020'], 'of the model is only what the host offers', async () => {
    const ask = { messages: [], maxTokens: 5 };
    const none = await open({ capabilities: {} });
    expect(await codeOf(none.app.createSamplingMessage(ask))).toBe('unsupported');
    const plain = await open({ capabilities: { sampling: {} } });
    expect(await codeOf(plain.app.createSamplingMessage({ ...ask, tools: [] }))).toBe('unsupported');
    expect(await codeOf(plain.app.createSamplingMessage(ask))).toBe('fulfilled');
    expect(none.host.methods()).not.toContain('sampling/createMessage');
    expect(plain.host.methods().filter((method) => method === 'sampling/createMessage')).toHaveLength(1);
  });

  verifies('VIEW-032', 'of the server is only what the host offers, when the app is strict', async () => {
    const { app, host } = await open({ capabilities: {} }, {}, { strict: true });
    expect(await codeOf(app.callServerTool({ name: 'x' }))).toBe('unsupported');
    expect(await codeOf(app.readResource('note://1'))).toBe('unsupported');
    expect(await codeOf(app.openLink({ url: 'https://example.com' }))).toBe('unsupported');
    expect(host.methods()).toEqual(['ui/initialize', 'ui/notifications/initialized']);
    const lenient = await open({ capabilities: {} });
    expect(await codeOf(lenient.app.callServerTool({ name: 'x' }))).toBe('fulfilled');
  });

  test('and the host refuses is a typed error with the host’s words', async () => {
    const { app } = await open({ handlers: {} });
    await expect(app.request('x/unknown')).rejects.toMatchObject({
      name: 'AppError',
      code: 'refused',
      wire: { code: -32601 },
    });
  });

  test('and is answered with something else is a typed error; a list that is left out is empty', async () => {
    const [near, far] = createMemoryTransportPair();
    const results: unknown[] = [{}, { content: 'text' }, { content: {} }, 7, null, { contents: 1 }, {}];
    near.subscribe((data) => {
      const { id } = data as { id?: number }; // what the app sends
      if (id !== undefined) near.send({ jsonrpc: '2.0', id, result: results.shift() } as never); // not always valid
    });
    const app = new App(info);
    await app.connect(far);
    for (let n = 0; n < 4; n += 1) expect(await codeOf(app.callServerTool({ name: 'x' }))).toBe('malformed');
    expect(await codeOf(app.readResource('note://1'))).toBe('malformed');
    expect(await app.callServerTool({ name: 'x' })).toEqual({ content: [] });
  });

  test('that cannot be copied is a typed error', async () => {
    const { app } = await open();
    const args = { run: () => 1 };
    expect(await codeOf(app.callServerTool({ name: 'x', arguments: args }))).toBe('malformed');
  });

  test('or tells and cannot be copied is an error of its own: neither the handshake nor the rest suffers', async () => {
    const { host, transport } = openHost();
    const app = new App(info);
    const errors: unknown[] = [];
    app.onerror = (error) => errors.push(error instanceof AppError ? error.code : error);
    const connected = app.connect(transport);
    void app.log('info', () => 'a function');
    const called = app.callServerTool({ name: 'echo', arguments: { a: 1 } });
    await connected;
    expect(await called).toMatchObject({ structuredContent: { a: 1 } });
    expect(errors).toEqual(['malformed']);
    expect(await codeOf(app.log('info', () => 'a function'))).toBe('malformed');
    expect(host.methods()).toEqual(['ui/initialize', 'ui/notifications/initialized', 'tools/call']);
  });

  test('to be said is said as the person, also where the role was left open', async () => {
    const [near, far] = createMemoryTransportPair();
    const said: unknown[] = [];
    near.subscribe((data) => {
      const { id, method, params } = data as { id: number; method: string; params: object }; // what the app sends
      if (method === 'ui/message') said.push(params);
      near.send({ jsonrpc: '2.0', id, result: {} });
    });
    const app = new App(info);
    await app.connect(far);
    // As JavaScript may write it; strict hosts refuse anything but this role.
    await app.sendMessage({ content: [], role: undefined } as unknown as { content: [] });
    expect(said).toEqual([{ role: 'user', content: [] }]);
  });

  test('can be given up, and the host hears of it', async () => {
    const aborted = vi.fn();
    const { app, host } = await open({
      handlers: {
        'tools/call': (_params, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              aborted();
              resolve({ content: [] });
            });
          }),
      },
    });
    const stop = new AbortController();
    const call = app.callServerTool({ name: 'slow' }, { signal: stop.signal });
    await settle();
    stop.abort();
    expect(await codeOf(call)).toBe('cancelled');
    await settle();
    expect(aborted).toHaveBeenCalledOnce();
    expect(host.paramsOf('notifications/cancelled')).toHaveLength(1);
    expect(await codeOf(app.callServerTool({ name: 'slow' }, { signal: stop.signal }))).toBe('cancelled');
  });
});

describe('time and end', () => {
  afterEach(() => void vi.useRealTimers());

  test('nothing can be asked before connect(), and a log line then is an error nobody must catch', async () => {
    const app = new App(info);
    const errors: unknown[] = [];
    app.onerror = (error) => errors.push(error instanceof AppError && error.code);
    expect(await codeOf(app.callServerTool({ name: 'x' }))).toBe('not-connected');
    expect(await codeOf(app.requestDisplayMode({ mode: 'inline' }))).toBe('not-connected');
    void app.sendLog({ level: 'info', data: 1 });
    await settle();
    expect(errors).toEqual(['not-connected']);
  });

  test('after close() everything open and everything new fails, and nothing is heard', async () => {
    const { app, host } = await open({ handlers: { 'tools/call': () => new Promise(() => undefined) } });
    const heard = vi.fn();
    app.ontoolinput = heard;
    const pending = codeOf(app.callServerTool({ name: 'slow' }));
    await settle();
    app.close();
    app.close();
    host.peer.notify('ui/notifications/tool-input', { arguments: {} });
    expect(await pending).toBe('closed');
    expect(await codeOf(app.callServerTool({ name: 'x' }))).toBe('closed');
    expect(await codeOf(app.connect())).toBe('closed');
    expect(await codeOf(app.notify('notifications/message', {}))).toBe('closed');
    await settle();
    expect(heard).not.toHaveBeenCalled();
  });

  test('a silent host is waited for thirty seconds', async () => {
    vi.useFakeTimers();
    const [, far] = createMemoryTransportPair();
    const app = new App(info);
    const connected = codeOf(app.connect(far));
    const called = codeOf(app.callServerTool({ name: 'x' }));
    await vi.advanceTimersByTimeAsync(29_999);
    let outcome: unknown;
    void connected.then((code) => (outcome = code));
    await vi.advanceTimersByTimeAsync(0);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect([await connected, await called]).toEqual(['timeout', 'timeout']);
  });

  test('a time without end has none', async () => {
    const { app, host } = await open({ handlers: { 'tools/call': () => new Promise(() => undefined) } });
    vi.useFakeTimers();
    let outcome: unknown;
    const call = codeOf(app.callServerTool({ name: 'slow' }, { timeoutMs: Infinity }));
    void call.then((code) => (outcome = code));
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(outcome).toBeUndefined();
    host.peer.close();
    app.close();
    expect(await call).toBe('closed');
  });

  test('progress prolongs the time of a call', async () => {
    const { app, host } = await open({ handlers: { 'tools/call': () => new Promise(() => undefined) } });
    vi.useFakeTimers();
    const reports: unknown[] = [];
    const call = codeOf(
      app.callServerTool(
        { name: 'slow' },
        { timeoutMs: 1000, onprogress: (report) => reports.push(report.progress) },
      ),
    );
    await vi.advanceTimersByTimeAsync(900);
    for (const progress of [1, 2]) {
      host.peer.notify('notifications/progress', { progressToken: 2, progress });
      await vi.advanceTimersByTimeAsync(900);
    }
    expect(reports).toEqual([1, 2]);
    await vi.advanceTimersByTimeAsync(200);
    expect(await call).toBe('timeout');
  });
});

describe('what the host asks', () => {
  verifies(
    ['VIEW-016', 'S4-27'],
    'of the end is answered when the app has cleaned up, whatever happens',
    async () => {
      const { app, host } = await open();
      expect(await host.peer.request('ui/resource-teardown', {})).toEqual({});
      const told: unknown[] = [];
      app.onteardown = async (params) => {
        await app.callServerTool({ name: 'save' });
        told.push(params);
      };
      expect(await host.peer.request('ui/resource-teardown', { reason: 'closed' })).toEqual({});
      expect(told).toEqual([{ reason: 'closed' }]);
      expect(host.methods()).toContain('tools/call');
      const errors: unknown[] = [];
      app.onerror = (error) => errors.push(String(error));
      app.onteardown = () => Promise.reject(new Error('mine'));
      expect(await host.peer.request('ui/resource-teardown', {})).toEqual({});
      expect(errors).toEqual(['Error: onteardown: mine']);
    },
  );

  test('ping and tools/list are always answered, even without a tool', async () => {
    const { host } = await open();
    expect(await host.peer.request('ping', {})).toEqual({});
    expect(await host.peer.request('tools/list', {})).toEqual({ tools: [] });
    await expect(host.peer.request('tools/call', { name: 'none' })).rejects.toMatchObject({
      wire: { code: -32602 },
    });
  });
});
