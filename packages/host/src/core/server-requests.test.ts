import { CasementError } from '@casement/protocol/start';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import type { ServerPort } from '@casement/protocol/ports';
import { createPlainServer, uiTool } from './plain-server.test-support.js';
import { createStage, holdTime, initializeParams, settle, until } from './stage.test-support.js';

const follow = (): { port: Partial<ServerPort>; log: string[]; fail: Set<string> } => {
  const log: string[] = [];
  const fail = new Set<string>();
  const port: Partial<ServerPort> = {
    async subscribeResource({ uri }) {
      log.push(`+${uri}`);
      if (fail.has(uri)) throw new CasementError('server-unreachable', 'no such resource');
    },
    async unsubscribeResource({ uri }) {
      log.push(`-${uri}`);
    },
  };
  return { port, log, fail };
};

const toServer = (extra: Partial<ServerPort>) => Object.assign(createPlainServer(), extra);

describe('lists of the server', () => {
  test('come whole on one page, from the own server', async () => {
    const server = toServer({
      listResourceTemplates: async () => [{ uriTemplate: 'file:///{name}', name: 'files' }],
      listPrompts: async () => [{ name: 'greet' }],
    });
    server.listings = [{ uri: 'file:///a', name: 'a' }];
    const stage = createStage({ server });
    await stage.ready();
    expect((await stage.ask(1, 'resources/list', {})).result).toEqual({
      resources: [{ uri: 'file:///a', name: 'a' }],
    });
    expect((await stage.ask(2, 'resources/templates/list')).result).toEqual({
      resourceTemplates: [{ uriTemplate: 'file:///{name}', name: 'files' }],
    });
    expect((await stage.ask(3, 'prompts/list')).result).toEqual({ prompts: [{ name: 'greet' }] });
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
      expect(await stage.ask(method, method, { cursor: 'page-2' })).toHaveProperty('error.code', -32602);
    }
  });

  test('do not exist where the port has none, and neither do subscriptions', async () => {
    const stage = createStage();
    await stage.ready();
    const methods = [
      'resources/templates/list',
      'prompts/list',
      'resources/subscribe',
      'resources/unsubscribe',
    ];
    for (const method of methods) {
      const { error } = await stage.ask(method, method, { uri: 'file:///a' });
      expect([error?.code, error?.message]).toEqual([-32601, `Method not found: ${method}`]);
    }
  });

  test('prompts that changed are told, once for a burst', async () => {
    holdTime();
    const stage = createStage({ server: toServer({ listPrompts: async () => [] }) });
    await stage.ready();
    for (let burst = 0; burst < 500; burst += 1) stage.server.emit({ type: 'prompts-changed' });
    await vi.advanceTimersByTimeAsync(1_000);
    await settle();
    expect(stage.methods().filter((method) => method.endsWith('list_changed'))).toEqual([
      'notifications/prompts/list_changed',
    ]);
  });
});

describe('a server that fails', () => {
  verifies(['S1-54', 'S1-56'], 'answers -32000 with the reason, or with its own number', async () => {
    const server = createPlainServer();
    server.tools = [uiTool];
    const stage = createStage({ server });
    await stage.ready();
    server.onCall = () => {
      throw new CasementError('tool-failed', 'The city is unknown.');
    };
    expect((await stage.ask(1, 'tools/call', { name: 'weather' })).error).toMatchObject({
      code: -32000,
      message: 'The city is unknown.',
    });
    const html = server.onRead;
    server.onRead = () => {
      throw new CasementError('server-unreachable', 'The disk is gone.');
    };
    expect((await stage.ask(2, 'resources/read', { uri: 'file:///a' })).error).toMatchObject({
      code: -32000,
      message: 'The disk is gone.',
    });
    server.onRead = html;
    // As clients of the official SDK throw what a server answered.
    server.onCall = () => {
      throw Object.assign(new Error('Visit the page first'), {
        code: -32042,
        data: { url: 'https://a.example' },
      });
    };
    expect((await stage.ask(3, 'tools/call', { name: 'weather' })).error).toEqual({
      code: -32042,
      message: 'Visit the page first',
      data: { url: 'https://a.example' },
    });
  });

  test('keeps what it says of this machine from the app', async () => {
    const stage = createStage();
    await stage.ready();
    const errors = [
      new Error('connect ECONNREFUSED /run/secret.sock'),
      Object.assign(new Error('ENOENT /home/me/secret'), { code: 'ENOENT' }),
      Object.assign(new Error('secret'), { code: 7 }),
      new DOMException('secret', 'AbortError'),
      'secret',
      new CasementError('internal', 'secret'),
    ];
    for (const [index, error] of errors.entries()) {
      stage.server.onCall = () => {
        throw error;
      };
      const answer = await stage.ask(index, 'tools/call', { name: 'weather' });
      expect(answer.error).toMatchObject({ code: -32000, data: { code: 'tool-failed' } });
      expect(JSON.stringify(answer)).not.toContain('secret');
    }
    expect(JSON.stringify(stage.kinds('error'))).toContain('secret.sock');
  });
});

describe('a call that is under way when the app is closed', () => {
  test('may go on for a while, then it is ended', async () => {
    holdTime();
    const stage = createStage({ limits: { lingerMs: 60_000, teardownMs: 5 } });
    stage.server.onCall = () => new Promise(() => undefined);
    await stage.ready();
    await stage.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'weather' } });
    await until(() => expect(stage.server.calls).toHaveLength(1));
    const closed = stage.session.close();
    await vi.advanceTimersByTimeAsync(5);
    await closed;
    const { signal } = stage.server.calls[0] ?? {};
    await vi.advanceTimersByTimeAsync(59_000);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(signal?.aborted).toBe(true);
  });
});

describe('resources an app follows', () => {
  test('are told to it while it does, and to no other app', async () => {
    holdTime();
    const { port, log } = follow();
    const server = toServer(port);
    const stage = createStage({ server });
    const neighbour = createStage({ server });
    await stage.ready();
    await neighbour.ready();
    await stage.ask(1, 'resources/subscribe', { uri: 'file:///a' });
    await stage.ask(2, 'resources/subscribe', { uri: 'file:///a' });
    expect(log).toEqual(['+file:///a']);
    for (let burst = 0; burst < 100; burst += 1) {
      server.emit({ type: 'resource-updated', uri: 'file:///a' });
      server.emit({ type: 'resource-updated', uri: 'file:///b' });
    }
    await vi.advanceTimersByTimeAsync(1_000);
    expect(stage.received.filter(({ method }) => method === 'notifications/resources/updated')).toEqual([
      { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'file:///a' } },
    ]);
    expect(neighbour.methods()).not.toContain('notifications/resources/updated');

    expect((await stage.ask(3, 'resources/unsubscribe', { uri: 'file:///a' })).result).toEqual({});
    expect((await stage.ask(4, 'resources/unsubscribe', { uri: 'file:///never' })).result).toEqual({});
    expect(log).toEqual(['+file:///a', '-file:///a']);
    const before = stage.received.length;
    server.emit({ type: 'resource-updated', uri: 'file:///a' });
    await vi.advanceTimersByTimeAsync(1_000);
    await settle();
    expect(stage.received).toHaveLength(before);
  });

  test('are followed no longer than the app lives, whichever way it ends', async () => {
    holdTime();
    for (const end of ['close', 'reload', 'again'] as const) {
      const { port, log } = follow();
      const stage = createStage({ server: toServer(port), limits: { teardownMs: 5 } });
      await stage.ready();
      await stage.ask(1, 'resources/subscribe', { uri: 'file:///a' });
      if (end === 'close') void stage.session.close();
      if (end === 'reload') stage.session.reload();
      if (end === 'again') await stage.proxy('loader-ready');
      await vi.advanceTimersByTimeAsync(5);
      await until(() => expect(log).toEqual(['+file:///a', '-file:///a']));
    }
  });

  test('may fail, need a URI and are limited in number', async () => {
    const { port, log, fail } = follow();
    const stage = createStage({ server: toServer(port), limits: { maxSubscriptions: 2 } });
    await stage.ready();
    fail.add('file:///bad');
    expect((await stage.ask(1, 'resources/subscribe', { uri: 'file:///bad' })).error).toMatchObject({
      code: -32000,
      message: 'no such resource',
    });
    for (const [index, uri] of ['', 'notes', 'ui://a\nb', `ui://${'x'.repeat(9000)}`].entries()) {
      expect(await stage.ask(`u${index}`, 'resources/subscribe', { uri })).toHaveProperty(
        'error.data.code',
        'resource-refused',
      );
    }
    for (const uri of [7, null, undefined]) {
      expect(await stage.ask(`t${String(uri)}`, 'resources/subscribe', { uri })).toHaveProperty(
        'error.code',
        -32602,
      );
    }
    await stage.ask(2, 'resources/subscribe', { uri: 'file:///1' });
    await stage.ask(3, 'resources/subscribe', { uri: 'file:///2' });
    expect(await stage.ask(4, 'resources/subscribe', { uri: 'file:///3' })).toHaveProperty(
      'error.data.code',
      'resource-refused',
    );
    expect(log).toEqual(['+file:///bad', '+file:///1', '+file:///2']);
  });
});

describe('everything an app may ask', () => {
  const yes = async (): Promise<true> => true;
  const wishes: Record<string, Record<string, unknown>> = {
    'tools/call': { name: 'weather' },
    'tools/list': {},
    'resources/list': {},
    'resources/templates/list': {},
    'resources/read': { uri: 'file:///a' },
    'resources/subscribe': { uri: 'file:///a' },
    'resources/unsubscribe': { uri: 'file:///a' },
    'prompts/list': {},
    'ui/open-link': { url: 'https://example.com' },
    'ui/message': { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    'ui/update-model-context': { structuredContent: { a: 1 } },
    'ui/request-display-mode': { mode: 'fullscreen' },
    'ui/download-file': { contents: [{ type: 'resource', resource: { uri: 'file:///a', text: 'a' } }] },
    'sampling/createMessage': {
      messages: [{ role: 'user', content: { type: 'text', text: 'a' } }],
      maxTokens: 1,
    },
  };
  const createFull = () => {
    const done: string[] = [];
    const say = (what: string) => async (): Promise<boolean> => done.push(what) > 0;
    const { port, log } = follow();
    const server = toServer({ ...port, listPrompts: async () => [], listResourceTemplates: async () => [] });
    const stage = createStage({
      server,
      displayModes: ['inline', 'fullscreen'],
      onOpenLink: say('link'),
      onMessage: say('message'),
      onDownload: say('download'),
      onModelContext: () => done.push('context'),
      onSampling: yes,
      createMessage: async () => ({
        model: String(done.push('sampling')),
        role: 'assistant',
        content: { type: 'text', text: '' },
      }),
    });
    return { stage, done, log };
  };
  const expectNothing = ({ stage, done, log }: ReturnType<typeof createFull>): void => {
    const { surface, server } = stage;
    expect([done, log, server.calls, surface.links, surface.saved]).toEqual([[], [], [], [], []]);
    expect(server.reads).toEqual(['ui://weather/dashboard']);
    expect(surface.modes).not.toContain('fullscreen');
  };

  test('is refused before initialized (B06)', async () => {
    const full = createFull();
    await full.stage.handOver();
    await full.stage.ask('init', 'ui/initialize', initializeParams);
    for (const [method, params] of Object.entries(wishes)) {
      const { error } = await full.stage.ask(method, method, params);
      expect([method, error?.code, error?.data?.code]).toEqual([method, -32000, 'not-initialized']);
    }
    expectNothing(full);
  });

  test('is refused after the app answered teardown (B27)', async () => {
    const full = createFull();
    const { stage } = full;
    await stage.ready();
    const end = stage.surface.frames[0]?.end;
    end?.subscribe((data) => {
      const { id, method } = data as { id: number; method?: string }; // what the host sends
      if (method !== 'ui/resource-teardown') return;
      end.send({ jsonrpc: '2.0', id, result: {} });
      // Messages between windows are tasks of their own; those of the stage are not.
      setTimeout(() => {
        for (const [wish, params] of Object.entries(wishes)) {
          end.send({ jsonrpc: '2.0', id: wish, method: wish, params });
        }
      });
    });
    await stage.session.close();
    await settle();
    expectNothing(full);
    const refused = stage.received.filter(({ error }) => error?.data?.code === 'session-closed');
    expect(refused.map(({ id }) => id)).toEqual(Object.keys(wishes));
  });

  test('with parameters that are none is answered -32602 and does nothing (B18)', async () => {
    const full = createFull();
    await full.stage.ready();
    const lists = new Set(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']);
    for (const method of Object.keys(wishes)) {
      if (method === 'ui/update-model-context') continue;
      const params = lists.has(method) ? { cursor: 7 } : { name: 7, uri: {}, url: [], content: 7, mode: 'x' };
      const { error } = await full.stage.ask(method, method, params);
      expect([method, error?.code]).toEqual([method, -32602]);
    }
    expectNothing(full);
  });

  test('is done for an app that is ready', async () => {
    const { stage, done } = createFull();
    await stage.ready();
    // Three questions in ten seconds are the limit: links, messages and downloads here, sampling elsewhere.
    for (const [method, params] of Object.entries(wishes)) {
      if (method === 'sampling/createMessage') continue;
      expect([method, (await stage.ask(method, method, params)).error]).toEqual([method, undefined]);
    }
    expect(done).toEqual(['link', 'message', 'context', 'download']);
  });
});
