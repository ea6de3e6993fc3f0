import { methodTable } from '../../../../protocol/src/messages/methods.js';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../../test/verifies.js';
import { createAppResources } from '../load/app-resources.js';
import type { Session } from './session.js';
import { appContents, createPlainServer, html, uiUri } from '../plain-server.test-support.js';
import { createStage, holdTime, initializeParams, settle, until } from '../stage.test-support.js';

const toolMessages = (methods: string[]): string[] => methods.filter((method) => method.includes('/tool-'));
const initialized = { jsonrpc: '2.0', method: 'ui/notifications/initialized' };

describe('from a tool to a running app', () => {
  verifies(
    ['HOST-016', 'HOST-027', 'S1-37', 'S1-50', 'S1-82'],
    'the HTML is read from the server and handed to a ready proxy once',
    async () => {
      const stage = createStage();
      await stage.mount();
      await until(() => expect(stage.session.getSnapshot().status).toBe('sandbox'));
      expect(stage.server.reads).toEqual([uiUri]);
      expect(stage.methods()).toEqual([]);
      await stage.proxy('proxy-ready');
      await stage.proxy('loader-ready');
      expect(stage.received).toEqual([
        { jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params: { html } },
      ]);
      expect(stage.session.getSnapshot()).toMatchObject({ status: 'handshake', epoch: 1 });
    },
  );

  verifies(
    ['HOST-011', 'HOST-027', 'S1-122', 'S2-33'],
    'the proxy gets the approved domains and granted permissions with the HTML',
    async () => {
      const server = createPlainServer();
      server.onRead = () =>
        appContents({
          _meta: {
            ui: {
              csp: { connectDomains: ['https://api.example.com', '*'] },
              permissions: { camera: {}, geolocation: {} },
            },
          },
        });
      const stage = createStage({ server, permissions: ['camera'] });
      await stage.handOver();
      expect(stage.received[0]?.params).toMatchObject({
        csp: { connectDomains: ['https://api.example.com'], resourceDomains: [] },
        permissions: { camera: {} },
      });
      expect(stage.session.getSnapshot().policy?.dropped).toMatchObject([{ value: '*' }]);
      expect(stage.surface.frames[0]?.spec.allow).toContain('camera;');
      expect(stage.surface.frames[0]?.spec.allow).toContain("geolocation 'none'");
    },
  );

  verifies(
    ['HOST-029', 'HOST-066', 'HOST-070', 'S1-60', 'S2-28', 'S2-30'],
    'nothing but answers reaches an app before initialized; then input and result come in order',
    async () => {
      const result = {
        content: [{ type: 'text' as const, text: '21 °C' }],
        structuredContent: { degrees: 21 },
        isError: true,
        _meta: { source: 'test' },
      };
      holdTime();
      const stage = createStage({ toolInput: { city: 'Köln' } });
      await stage.handOver();
      stage.session.sendToolResult(result);
      stage.session.sendHostContextChanged({ theme: 'light' });
      stage.server.emit({ type: 'tools-changed' });
      await stage.ask(1, 'ui/initialize', initializeParams);
      stage.session.sendHostContextChanged({ theme: 'dark' });
      await vi.advanceTimersByTimeAsync(1_000);
      await settle();
      expect(stage.received.slice(1).filter(({ method }) => method !== undefined)).toEqual([]);

      await stage.send(initialized);
      expect(stage.received.slice(2)).toEqual([
        { jsonrpc: '2.0', method: 'ui/notifications/host-context-changed', params: { theme: 'dark' } },
        { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { city: 'Köln' } } },
        { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: result },
      ]);
      expect(stage.session.getSnapshot().status).toBe('ready');
    },
  );

  verifies(
    ['S1-111', 'S2-02', 'S2-10', 'S4-22', 'S4-23', 'S4-32'],
    'every step of the start follows the one before it, and the app begins the handshake',
    async () => {
      const stage = createStage({ toolInput: { city: 'Köln' } });
      stage.session.sendToolResult({ content: [] });
      await stage.mount();
      await until(() => expect(stage.session.getSnapshot().status).toBe('sandbox'));
      await stage.proxy('proxy-ready');
      await stage.proxy('loader-ready');
      await settle();
      expect(stage.session.getSnapshot().status).toBe('handshake');
      expect(stage.methods()).toEqual(['ui/notifications/sandbox-resource-ready']);
      await stage.ask('hello', 'ui/initialize', initializeParams);
      expect(stage.session.getSnapshot().status).not.toBe('ready');
      await stage.send(initialized);
      expect(stage.session.getSnapshot().status).toBe('ready');
      const leg = stage.recording.entries().filter((entry) => entry.leg === 'app' && entry.dir !== 'none');
      const told = leg.map(({ dir, raw }) => {
        const { method, id } = raw as { method?: string; id?: unknown }; // every message here is JSON-RPC
        return `${dir} ${method?.replace('ui/notifications/', '') ?? `answer to ${String(id)}`}`;
      });
      expect(told).toEqual([
        'in sandbox-proxy-ready',
        'out sandbox-resource-ready',
        'in sandbox-loader-ready',
        'in ui/initialize',
        'out answer to hello',
        'in initialized',
        'out tool-input',
        'out tool-result',
      ]);
    },
  );

  verifies('S2-05', 'each message an embedder can send has a function of its own', async () => {
    const senders: [string, (session: Session) => unknown][] = [
      ['ui/notifications/tool-input-partial', (session) => session.sendToolInputPartial({ city: 'K' })],
      ['ui/notifications/tool-input', (session) => session.sendToolInput({ city: 'Köln' })],
      ['ui/notifications/tool-result', (session) => session.sendToolResult({ content: [] })],
      ['ui/notifications/tool-cancelled', (session) => session.sendToolCancelled('enough')],
      [
        'ui/notifications/host-context-changed',
        (session) => session.sendHostContextChanged({ theme: 'light' }),
      ],
      ['ui/resource-teardown', (session) => session.close('done')],
    ];
    for (const [method, send] of senders) {
      const stage = createStage(/result|cancelled/.test(method) ? { toolInput: {} } : {});
      await stage.ready();
      stage.createApp({ 'ui/resource-teardown': () => ({}) });
      const before = stage.methods().length;
      await send(stage.session);
      await settle();
      expect(stage.methods().slice(before)).toEqual([method]);
    }
    const messages = methodTable.filter(({ from, method }) => from === 'host' && method.startsWith('ui/'));
    // The HTML goes to the proxy, not to the app, and by itself.
    const toApps = messages.map(({ method }) => method).filter((method) => !method.includes('/sandbox-'));
    expect(senders.map(([method]) => method).toSorted()).toEqual(toApps.toSorted());
  });

  test('the result of a UI tool is shown with the resource the tool names', async () => {
    const stage = createStage({ toolInput: {} });
    await stage.ready();
    stage.session.sendToolResult({ content: [] });
    await settle();
    expect(stage.surface.frames).toHaveLength(1);
    expect(stage.session.getSnapshot().resource?.uri).toBe(uiUri);
    expect(stage.methods().at(-1)).toBe('ui/notifications/tool-result');
  });

  verifies('HOST-066', 'a tool without arguments still gives an empty input before its result', async () => {
    const stage = createStage();
    await stage.ready();
    stage.session.sendToolResult({ content: [] });
    await settle();
    expect(stage.received.slice(2)).toMatchObject([
      { method: 'ui/notifications/tool-input', params: { arguments: {} } },
      { method: 'ui/notifications/tool-result' },
    ]);
  });

  verifies(
    ['HOST-067', 'HOST-069', 'S1-08', 'S1-123', 'S2-29', 'S2-45', 'S3-16'],
    'input is sent once, partials stop with it, and a second outcome is dropped and recorded',
    async () => {
      const stage = createStage();
      await stage.ready();
      stage.session.sendToolInputPartial({ city: 'K' });
      stage.session.sendToolInputPartial({ city: 'Kö' });
      stage.session.sendToolInput({ city: 'Köln' });
      stage.session.sendToolInputPartial({ city: 'late' });
      stage.session.sendToolInput({ city: 'again' });
      stage.session.sendToolResult({ content: [] });
      stage.session.sendToolCancelled('late');
      await settle();
      expect(toolMessages(stage.methods()).map((method) => method.replace('ui/notifications/', ''))).toEqual([
        'tool-input-partial',
        'tool-input-partial',
        'tool-input',
        'tool-result',
      ]);
      const inputs = stage.received.filter(({ method }) => method?.includes('/tool-input'));
      expect(inputs.map(({ params }) => params?.arguments)).toEqual([
        { city: 'K' },
        { city: 'Kö' },
        { city: 'Köln' },
      ]);
      expect(stage.kinds('dropped')).toHaveLength(3);
    },
  );

  verifies(
    ['HOST-071', 'S1-113', 'S2-31'],
    'a cancelled tool is told once, also when its server is lost, and no result follows',
    async () => {
      const stage = createStage({ toolInput: {} });
      await stage.ready();
      stage.server.emit({ type: 'lost', reason: 'exit code 3' });
      stage.session.sendToolCancelled('user');
      stage.session.sendToolResult({ content: [] });
      await settle();
      expect(toolMessages(stage.methods())).toEqual([
        'ui/notifications/tool-input',
        'ui/notifications/tool-cancelled',
      ]);
      expect(stage.received.at(-1)?.params?.reason).toContain('exit code 3');
      expect(stage.session.getSnapshot()).toMatchObject({
        status: 'ready',
        failure: { code: 'server-lost' },
      });
    },
  );

  verifies('S2-31', 'a call that was given up for no reason is told without one', async () => {
    const stage = createStage({ toolInput: {} });
    await stage.ready();
    stage.session.sendToolCancelled();
    await settle();
    expect(stage.received.at(-1)).toEqual({
      jsonrpc: '2.0',
      method: 'ui/notifications/tool-cancelled',
      params: {},
    });
  });

  test('a structuredContent that official views refuse is left out and reported', async () => {
    const stage = createStage({ toolInput: {} });
    await stage.ready();
    stage.session.sendToolResult({
      content: [],
      structuredContent: [1, 2] as unknown as Record<string, unknown>,
    });
    await settle();
    expect(stage.received.at(-1)?.params).toEqual({ content: [] });
    expect(stage.kinds('finding')).toMatchObject([{ code: 'structured-content-type' }]);
  });
});

describe('epochs', () => {
  verifies(
    ['HOST-067', 'S1-83'],
    'a reload of the app starts an epoch in which input and result are delivered again',
    async () => {
      const stage = createStage({ toolInput: { city: 'Köln' } });
      await stage.ready();
      stage.session.sendToolResult({ content: [] });
      await settle();
      const before = stage.received.length;
      await stage.proxy('loader-ready');
      await stage.proxy('frame-loaded', { sinceLoaderReady: 1 });
      expect(stage.session.getSnapshot()).toMatchObject({ status: 'handshake', epoch: 2 });
      await stage.ask('again', 'ui/initialize', initializeParams);
      await stage.send(initialized);
      expect(toolMessages(stage.received.slice(before).flatMap(({ method }) => method ?? []))).toEqual([
        'ui/notifications/tool-input',
        'ui/notifications/tool-result',
      ]);
      expect(stage.session.getSnapshot()).toMatchObject({ status: 'ready', epoch: 2 });
      expect(stage.surface.frames).toHaveLength(1);
    },
  );

  test('a second ui/initialize in one document is answered and the data sent again (B07)', async () => {
    const stage = createStage({ toolInput: {} });
    await stage.handOver();
    await stage.ask(1, 'ui/initialize', initializeParams);
    const second = await stage.ask(2, 'ui/initialize', {
      ...initializeParams,
      appInfo: { name: 'two', version: '2' },
    });
    expect(second.result).toHaveProperty('hostContext');
    await stage.send(initialized);
    await stage.send(initialized);
    expect(toolMessages(stage.methods())).toEqual(['ui/notifications/tool-input']);
    await stage.ask(3, 'ui/initialize', initializeParams);
    await stage.send(initialized);
    expect(toolMessages(stage.methods())).toHaveLength(2);
    expect(stage.session.getSnapshot()).toMatchObject({
      status: 'ready',
      epoch: 3,
      appInfo: { name: 'scripted' },
    });
  });

  test('a loop of ui/initialize is throttled', async () => {
    const stage = createStage();
    await stage.handOver();
    const answers = [];
    for (let id = 0; id < 25; id += 1) answers.push(await stage.ask(id, 'ui/initialize', initializeParams));
    expect(answers.filter(({ error }) => error?.data?.code === 'rate-limited')).toHaveLength(5);
  });

  test('an answer owed to the old document never reaches the new one under the same id (B27)', async () => {
    const server = createPlainServer();
    let finish = (): void => undefined;
    server.onCall = () =>
      new Promise((resolve) => (finish = () => resolve({ content: [{ type: 'text', text: 'old' }] })));
    const stage = createStage({ server });
    await stage.ready();
    await stage.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'weather' } });
    const old = finish;
    const oldCall = server.calls[0];
    await stage.proxy('loader-ready');
    await stage.ask('again', 'ui/initialize', initializeParams);
    await stage.send(initialized);
    await stage.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'weather' } });
    old();
    await settle();
    expect(stage.received.filter(({ id, result }) => id === 7 && result)).toEqual([]);
    expect(oldCall?.signal?.aborted).toBe(false);
    finish();
    await settle();
    expect(stage.received.filter(({ id, result }) => id === 7 && result)).toHaveLength(1);
  });

  verifies(['S1-83', 'S1-84'], 'reload() reads afresh, mounts anew and delivers again', async () => {
    holdTime();
    const stage = createStage({ toolInput: {}, limits: { teardownMs: 20 } });
    await stage.ready();
    stage.session.reload();
    await vi.advanceTimersByTimeAsync(20);
    await until(() => expect(stage.surface.frames).toHaveLength(2));
    expect(stage.server.reads).toEqual([uiUri, uiUri]);
    expect(stage.surface.frames[0]?.isThere).toBe(false);
    await stage.proxy('proxy-ready');
    await stage.proxy('loader-ready');
    await until(() => expect(stage.session.getSnapshot().status).toBe('handshake'));
    await stage.ask('again', 'ui/initialize', initializeParams);
    await stage.send(initialized);
    expect(stage.session.getSnapshot()).toMatchObject({ status: 'ready', epoch: 2, prewarmed: true });
    expect(stage.methods().at(-1)).toBe('ui/notifications/tool-input');
  });
});

describe('pre-warm', () => {
  verifies(
    ['HOST-017', 'S1-37', 'S4-32'],
    'known metadata mounts the frames before the read ends, and the HTML waits for the read',
    async () => {
      const server = createPlainServer();
      const resources = createAppResources(server);
      await resources.read(uiUri);
      let answer = (): void => undefined;
      server.onRead = () => new Promise((resolve) => (answer = () => resolve(appContents())));
      const stage = createStage({ server, resources });
      await stage.mount();
      expect(stage.session.getSnapshot()).toMatchObject({ status: 'loading', prewarmed: true });
      await stage.proxy('proxy-ready');
      await stage.proxy('loader-ready');
      expect(stage.received).toEqual([]);
      answer();
      await until(() => expect(stage.session.getSnapshot().status).toBe('handshake'));
      await settle();
      expect(stage.methods()).toEqual(['ui/notifications/sandbox-resource-ready']);
      expect(stage.surface.frames).toHaveLength(1);
    },
  );

  test('warm frames are thrown away when the fresh read declares another policy', async () => {
    const server = createPlainServer();
    const resources = createAppResources(server);
    await resources.read(uiUri);
    server.onRead = () =>
      appContents({ _meta: { ui: { csp: { connectDomains: ['https://api.example.com'] } } } });
    const stage = createStage({ server, resources });
    await stage.mount();
    await until(() => expect(stage.surface.frames).toHaveLength(2));
    expect(stage.surface.frames[0]?.isThere).toBe(false);
    expect(stage.surface.frames[0]?.spec.url).not.toBe(stage.surface.frames[1]?.spec.url);
    expect(stage.session.getSnapshot()).toMatchObject({ prewarmed: false });
  });
});
