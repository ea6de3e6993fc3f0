import type { ErrorCode } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import type { SessionOptions } from './session-options.js';
import { appContents, createPlainServer, uiTool } from './plain-server.test-support.js';
import type { Stage } from './stage.test-support.js';
import { createStage, holdTime, initializeParams, settle, until } from './stage.test-support.js';

const initialized = { jsonrpc: '2.0', method: 'ui/notifications/initialized' };
const never = new Promise<never>(() => undefined);

const failsAs = (stage: Stage, code: ErrorCode, step: string): Promise<void> =>
  until(() => {
    const { status, failure } = stage.session.getSnapshot();
    expect({ status, code: failure?.code, step: failure?.step }).toEqual({ status: 'failed', code, step });
    expect(failure?.message).toMatch(/\.$|:/);
    expect(stage.surface.frames.every(({ isThere }) => !isThere)).toBe(true);
  });

/** The step that runs now has this limit: a moment before its end nothing has failed. */
const passLimit = async (stage: Stage, ms: number): Promise<void> => {
  const { status } = stage.session.getSnapshot();
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(stage.session.getSnapshot().status).toBe(status);
  await vi.advanceTimersByTimeAsync(1);
};

describe('each step that fails has its own name', () => {
  const readings: [
    ErrorCode,
    Partial<SessionOptions>,
    (server: ReturnType<typeof createPlainServer>) => void,
  ][] = [
    ['resource-empty', {}, (server) => (server.onRead = () => appContents({ text: '' }))],
    ['resource-mime', {}, (server) => (server.onRead = () => appContents({ mimeType: 'text/plain' }))],
    ['resource-empty', {}, (server) => (server.onRead = () => ({ contents: [] }))],
    ['resource-empty', {}, (server) => (server.onRead = () => null as never)],
    ['resource-too-large', { limits: { maxHtmlBytes: 10 } }, () => undefined],
    [
      'resource-undecodable',
      {},
      (server) => (server.onRead = () => appContents({ text: undefined, blob: '***' }) as never),
    ],
    [
      'resource-missing',
      {},
      (server) => (server.onRead = () => Promise.reject(new Error('no such resource'))),
    ],
    [
      'server-lost',
      {},
      (server) => (server.onRead = () => Promise.reject(new CasementError('server-exited', 'Exit code 3.'))),
    ],
    ['resource-missing', { tool: { name: 'plain', inputSchema: { type: 'object' } } }, () => undefined],
    [
      'resource-uri',
      { tool: { ...uiTool, _meta: { ui: { resourceUri: 'https://example.com/' } } } },
      () => undefined,
    ],
  ];
  for (const [code, options, prepare] of readings) {
    test(`${code} while the resource is read`, async () => {
      const server = createPlainServer();
      prepare(server);
      const stage = createStage({ ...options, server });
      stage.session.start();
      await failsAs(stage, code, 'resource');
      expect(stage.surface.frames).toEqual([]);
    });
  }

  test('resource-timeout while the resource is read', async () => {
    holdTime();
    const server = createPlainServer();
    server.onRead = () => never;
    const stage = createStage({ server, limits: { resourceMs: 20 } });
    stage.session.start();
    await until(() => expect(server.reads).toHaveLength(1));
    await passLimit(stage, 20);
    await failsAs(stage, 'resource-timeout', 'resource');
    expect(stage.surface.frames).toEqual([]);
  });

  test('server-lost while the resource is read', async () => {
    const server = createPlainServer();
    server.onRead = () => never;
    const stage = createStage({ server });
    stage.session.start();
    await settle();
    server.emit({ type: 'lost', reason: 'exit code 1' });
    await failsAs(stage, 'server-lost', 'resource');
  });

  for (const sandbox of [
    { base: 'not a url' },
    { opaqueBase: 'http://casement.localhost:6270', reason: 'test' },
    { staticUrl: 'http://casement.localhost:6270/proxy.html', reason: 'test' },
    { staticUrl: 'proxy.html', reason: 'test' },
  ]) {
    test(`sandbox-misconfigured for ${JSON.stringify(sandbox)} (A08)`, async () => {
      const stage = createStage({ sandbox });
      stage.session.start();
      await failsAs(stage, 'sandbox-misconfigured', 'sandbox');
      expect(stage.surface.frames).toEqual([]);
    });
  }

  test('sandbox-unreachable without proxy-ready', async () => {
    holdTime();
    const stage = createStage({ limits: { sandboxMs: 20 } });
    await stage.mount();
    await until(() => expect(stage.session.getSnapshot().status).toBe('sandbox'));
    await passLimit(stage, 20);
    await failsAs(stage, 'sandbox-unreachable', 'sandbox');
  });

  test('html-never-ran without loader-ready or a load', async () => {
    holdTime();
    const stage = createStage({ limits: { handshakeMs: 30 } });
    await stage.mount();
    await until(() => expect(stage.session.getSnapshot().status).toBe('sandbox'));
    await stage.proxy('proxy-ready');
    await passLimit(stage, 30);
    await failsAs(stage, 'html-never-ran', 'html');
  });

  test('no-initialize when a document is there and silent', async () => {
    holdTime();
    const stage = createStage({ limits: { handshakeMs: 40 } });
    await stage.handOver();
    await passLimit(stage, 40);
    await failsAs(stage, 'no-initialize', 'handshake');
  });

  test('initialized-missing when the handshake stops half way', async () => {
    holdTime();
    const stage = createStage({ limits: { handshakeMs: 60 } });
    await stage.handOver();
    await stage.ask(1, 'ui/initialize', initializeParams);
    await passLimit(stage, 60);
    await failsAs(stage, 'initialized-missing', 'initialized');
  });

  test('initialized without initialize does not make an app ready', async () => {
    const stage = createStage();
    await stage.handOver();
    await stage.send(initialized);
    expect(stage.session.getSnapshot().status).toBe('handshake');
  });

  verifies(
    'HOST-078',
    'proxy-restarted on a second proxy-ready, and the HTML is not sent again',
    async () => {
      const stage = createStage();
      await stage.ready();
      await stage.send({
        jsonrpc: '2.0',
        method: 'ui/notifications/sandbox-resource-ready',
        params: { html: 'forged' },
      });
      expect(stage.session.getSnapshot().status).toBe('ready');
      await stage.proxy('proxy-ready');
      await failsAs(stage, 'proxy-restarted', 'sandbox');
      expect(stage.methods().filter((method) => method.includes('sandbox-'))).toHaveLength(1);
    },
  );

  test('app-flooding past the drop limit; below it the count is shown', async () => {
    holdTime();
    const stage = createStage({ limits: { maxDropped: 1000, teardownMs: 10 } });
    await stage.ready();
    await stage.proxy('dropped', { count: 900, reason: 'flood' });
    expect(stage.session.getSnapshot()).toMatchObject({ status: 'ready', dropped: 900 });
    await stage.proxy('dropped', { count: 101, reason: 'flood' });
    await vi.advanceTimersByTimeAsync(10);
    await failsAs(stage, 'app-flooding', 'running');
    expect(stage.kinds('dropped')).toHaveLength(2);
  });

  test('an app that failed no longer covers the page, and starts over with a clean count', async () => {
    holdTime();
    const stage = createStage({
      displayModes: ['inline', 'fullscreen'],
      limits: { maxDropped: 10, teardownMs: 10 },
    });
    await stage.ready();
    stage.session.setDisplayMode('fullscreen');
    await stage.proxy('dropped', { count: 11, reason: 'flood' });
    await vi.advanceTimersByTimeAsync(10);
    await failsAs(stage, 'app-flooding', 'running');
    expect(stage.surface.modes).toEqual(['fullscreen', 'inline']);
    stage.session.reload();
    await until(() => expect(stage.session.getSnapshot()).toMatchObject({ status: 'sandbox', dropped: 0 }));
  });

  test('a failed session can be reloaded', async () => {
    const server = createPlainServer();
    server.onRead = () => appContents({ text: '' });
    const stage = createStage({ server });
    stage.session.start();
    await failsAs(stage, 'resource-empty', 'resource');
    server.onRead = () => appContents();
    stage.session.reload();
    await until(() => expect(stage.session.getSnapshot().status).toBe('sandbox'));
    expect(stage.session.getSnapshot().failure).toBeUndefined();
  });
});

describe('loads of the inner frame', () => {
  const load = (stage: Stage, count: number) => stage.proxy('frame-loaded', { sinceLoaderReady: count });

  test('an app that no longer answers after another load ends as app-navigated', async () => {
    holdTime();
    const stage = createStage({ limits: { pingMs: 30 } });
    await stage.ready();
    await load(stage, 2);
    expect(stage.methods().at(-1)).toBe('ping');
    await passLimit(stage, 30);
    await failsAs(stage, 'app-navigated', 'running');
  });

  test('an app that answers, even with an error, goes on', async () => {
    holdTime();
    const stage = createStage({ limits: { pingMs: 30 } });
    await stage.ready();
    await load(stage, 2);
    const ping = stage.received.at(-1);
    await stage.send({ jsonrpc: '2.0', id: ping?.id, error: { code: -32601, message: 'Method not found' } });
    await vi.advanceTimersByTimeAsync(60);
    expect(stage.session.getSnapshot().status).toBe('ready');
  });

  test('an app that answers no ping but sends other messages goes on', async () => {
    holdTime();
    const stage = createStage({ limits: { pingMs: 40 } });
    await stage.ready();
    await load(stage, 2);
    await vi.advanceTimersByTimeAsync(10);
    await stage.send({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } });
    await vi.advanceTimersByTimeAsync(60);
    expect(stage.session.getSnapshot().status).toBe('ready');
  });

  verifies('HOST-029', 'before initialized put no ping on the wire; it follows after', async () => {
    holdTime();
    const stage = createStage({ limits: { pingMs: 30 } });
    await stage.handOver();
    await load(stage, 2);
    await stage.ask(1, 'ui/initialize', initializeParams);
    expect(stage.methods()).not.toContain('ping');
    await stage.send(initialized);
    expect(stage.methods()).toContain('ping');
    await passLimit(stage, 30);
    await failsAs(stage, 'app-navigated', 'running');
  });

  test('the first load after each loader needs no proof', async () => {
    holdTime();
    const stage = createStage({ limits: { pingMs: 20 } });
    await stage.ready();
    await stage.proxy('loader-ready');
    await load(stage, 1);
    await stage.ask('again', 'ui/initialize', initializeParams);
    await stage.send(initialized);
    await vi.advanceTimersByTimeAsync(50);
    expect(stage.methods()).not.toContain('ping');
    expect(stage.session.getSnapshot().status).toBe('ready');
  });
});

describe('teardown', () => {
  verifies(
    ['HOST-072', 'HOST-073', 'S1-113', 'S2-27', 'S2-43'],
    'asks the app first and waits for its answer before the frame goes',
    async () => {
      const stage = createStage();
      await stage.ready();
      let reason: unknown;
      let answer = (_: object): void => undefined;
      stage.createApp({
        'ui/resource-teardown': (params) => {
          reason = params.reason;
          return new Promise((resolve) => (answer = resolve));
        },
      });
      const closed = stage.session.close('user closed it');
      await until(() => expect(reason).toBeDefined());
      await settle();
      expect(stage.surface.frames[0]?.isThere).toBe(true);
      expect(stage.session.getSnapshot().status).toBe('tearing-down');
      answer({});
      await closed;
      expect(reason).toBe('user closed it');
      expect(stage.surface.frames[0]?.isThere).toBe(false);
      expect(stage.session.getSnapshot().status).toBe('closed');
      expect(stage.server.subscribers).toBe(0);
    },
  );

  verifies('HOST-073', 'takes -32601 as consent at once and silence after the limit (B28)', async () => {
    const deaf = createStage({ limits: { teardownMs: 3_600_000 } });
    await deaf.ready();
    deaf.createApp();
    await deaf.session.close();

    const silent = createStage({ limits: { teardownMs: 500 } });
    await silent.ready();
    holdTime();
    const closed = silent.session.close();
    await vi.advanceTimersByTimeAsync(499);
    expect(silent.surface.frames[0]?.isThere).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    await closed;
    expect(silent.surface.frames[0]?.isThere).toBe(false);
    expect(silent.kinds('lifecycle')).toContainEqual({ type: 'teardown', outcome: 'unanswered' });
  });

  verifies('HOST-072', 'also comes before a reload and before a flooding app is removed', async () => {
    holdTime();
    for (const end of [
      (stage: Stage) => stage.session.reload(),
      (stage: Stage) => stage.proxy('dropped', { count: 200_000, reason: 'flood' }),
    ]) {
      const stage = createStage({ limits: { teardownMs: 30 } });
      await stage.ready();
      void end(stage);
      await settle();
      expect(stage.methods().at(-1)).toBe('ui/resource-teardown');
      await vi.advanceTimersByTimeAsync(29);
      expect(stage.surface.frames[0]?.isThere).toBe(true);
      await vi.advanceTimersByTimeAsync(1);
      await until(() => expect(stage.surface.frames[0]?.isThere).toBe(false));
    }
  });

  test('ends everything: what comes later is neither handled nor sent (B27)', async () => {
    const server = createPlainServer();
    let finish = (): void => undefined;
    server.onCall = () => new Promise((resolve) => (finish = () => resolve({ content: [] })));
    holdTime();
    const stage = createStage({ server, limits: { teardownMs: 10 } });
    await stage.ready();
    await stage.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'weather' } });
    const closed = stage.session.close();
    await vi.advanceTimersByTimeAsync(10);
    await closed;
    const before = stage.received.length;
    finish();
    await stage.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'weather' } });
    stage.session.sendToolResult({ content: [] });
    stage.session.sendHostContextChanged({ theme: 'light' });
    stage.session.reload();
    await stage.session.close();
    await settle();
    expect(stage.received).toHaveLength(before);
    expect(server.calls).toHaveLength(1);
    expect(server.calls[0]?.signal?.aborted).toBe(false);
    expect(stage.session.getSnapshot().status).toBe('closed');
  });

  test('that could not be asked for is recorded as skipped', async () => {
    const stage = createStage();
    await stage.ready();
    stage.session.skipTeardown('pagehide');
    expect(stage.session.getSnapshot().status).toBe('ready');
    stage.session.skipTeardown('removed-by-others');
    expect(stage.session.getSnapshot().status).toBe('closed');
    expect(stage.kinds('lifecycle')).toContainEqual({ type: 'teardown-skipped', cause: 'removed-by-others' });
  });

  test('of an app that is not there yet just stops', async () => {
    const stage = createStage();
    stage.session.start();
    await stage.session.close();
    await settle();
    expect(stage.surface.frames.filter(({ isThere }) => isThere)).toEqual([]);
    expect(stage.session.getSnapshot().status).toBe('closed');
  });
});
