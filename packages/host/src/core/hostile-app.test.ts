import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createStage, settle } from './stage.test-support.js';

const healthy = async (stage: ReturnType<typeof createStage>): Promise<void> => {
  expect(stage.session.getSnapshot().status).toBe('ready');
  expect(await stage.ask('alive', 'ping')).toHaveProperty('result', {});
};

describe('an app that does not speak properly', () => {
  verifies(
    ['HOST-034', 'HOST-035', 'S1-34', 'S3-27'],
    'gets an error where one can be addressed, and nothing is executed',
    async () => {
      const stage = createStage({ onOpenLink: async () => true });
      await stage.ready();
      const before = stage.received.length;
      const call = { method: 'tools/call', params: { name: 'weather' } };
      const silent: unknown[] = [
        'text',
        null,
        7,
        [],
        [{ jsonrpc: '2.0', id: 1, ...call }],
        { jsonrpc: '1.0', id: 2, ...call },
        { id: 3, ...call },
        { jsonrpc: '2.0', id: null, ...call },
        { jsonrpc: '2.0', id: {}, ...call },
        { jsonrpc: '2.0', id: NaN, ...call },
        { jsonrpc: '2.0', id: 1.5, ...call },
        new Map([['jsonrpc', '2.0']]),
        { jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: 'tall' },
        { jsonrpc: '2.0', method: 'tools/call', params: { name: 'weather' } },
        { jsonrpc: '2.0', method: 'no/such/notification' },
      ];
      for (const value of silent) await stage.send(value);
      expect(stage.received.slice(before).filter(({ id }) => id !== undefined && id !== null)).toEqual([]);

      const answered: [Record<string, unknown>, number][] = [
        [{ method: 'tools/call', params: null }, -32600],
        [{ method: 'tools/call', params: [] }, -32600],
        [{ method: 'tools/call', params: 'x' }, -32600],
        [{ method: 7 }, -32600],
        [{ method: 'tools/call' }, -32602],
        [{ method: 'tools/call', params: { name: {} } }, -32602],
        [{ method: 'ui/open-link', params: { url: 7 } }, -32602],
        [{ method: 'ui/initialize', params: { protocolVersion: 1 } }, -32602],
      ];
      for (const [index, [message, code]] of answered.entries()) {
        const id = `a${index}`;
        await stage.send({ jsonrpc: '2.0', id, ...message });
        expect([id, stage.received.findLast((answer) => answer.id === id)?.error?.code]).toEqual([id, code]);
      }
      expect(stage.server.calls).toEqual([]);
      expect(stage.surface.links).toEqual([]);
      await healthy(stage);
    },
  );

  verifies('S3-26', 'finds no method outside the subset (B15)', async () => {
    const stage = createStage();
    await stage.ready();
    const methods = [
      'sampling/createMessage',
      'elicitation/create',
      'roots/list',
      'initialize',
      'shell/exec',
      'ui/resource-teardown',
      'ui/notifications/sandbox-proxy-ready',
      'constructor',
      '__proto__',
      'hasOwnProperty',
    ];
    for (const method of methods) {
      expect([method, (await stage.ask(method, method, {})).error?.code]).toEqual([method, -32601]);
    }
    await healthy(stage);
  });

  test('cannot answer for anybody or take an id twice (B16, B17)', async () => {
    const stage = createStage();
    await stage.ready();
    for (const id of [0, 1, 2, 'init', '__proto__'])
      await stage.send({ jsonrpc: '2.0', id, result: { mode: 'pip' } });
    stage.server.onCall = () => new Promise(() => undefined);
    const request = { jsonrpc: '2.0', id: 'twice', method: 'tools/call', params: { name: 'weather' } };
    await stage.send(request);
    await stage.send(request);
    expect(stage.server.calls).toHaveLength(1);
    expect(stage.received.filter(({ id }) => id === 'twice')).toEqual([]);
    await healthy(stage);
  });

  test('pollutes no prototype (B19)', async () => {
    const stage = createStage();
    await stage.ready();
    const params = JSON.parse(
      '{"name":"weather","arguments":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}},"__proto__":{"polluted":1}}',
    ) as Record<string, unknown>;
    await stage.ask(1, 'tools/call', params);
    await stage.send(
      JSON.parse(
        '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"__proto__":{"polluted":1}}}}',
      ),
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(stage.server.calls[0]?.arguments)).toBe(Object.prototype);
  });

  test('survives cycles and depth in what it sends (B20)', async () => {
    const stage = createStage();
    await stage.ready();
    const cycle: Record<string, unknown> = { jsonrpc: '2.0', method: 'notifications/message' };
    cycle.params = { level: 'info', data: cycle };
    await stage.send(cycle);
    let deep: unknown = 1;
    for (let level = 0; level < 1000; level += 1) deep = [deep];
    await stage.send({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: deep },
    });
    await healthy(stage);
  });

  test('sends ten thousand messages and the host still answers', async () => {
    const stage = createStage();
    await stage.ready();
    const end = stage.surface.frames[0]?.end;
    for (let count = 0; count < 10_000; count += 1) {
      end?.send({
        jsonrpc: '2.0',
        method: 'ui/notifications/size-changed',
        params: { height: count % 2 ? 400 : 800 },
      });
    }
    await settle();
    await healthy(stage);
    expect(stage.surface.sizes.length).toBeLessThan(1000);
    expect(stage.recording.entries().length).toBeGreaterThan(10_000);
  }, 20_000);

  test('meets hooks that throw with fixed words, and a subscriber that throws disturbs nothing', async () => {
    const boom = (): never => {
      throw new Error('secret path');
    };
    const stage = createStage({
      onOpenLink: async () => boom(),
      onLog: boom,
      onDisplayMode: boom,
      displayModes: ['inline', 'pip'],
    });
    stage.session.subscribe(boom);
    await stage.ready();
    const answers = [
      await stage.ask(1, 'ui/open-link', { url: 'https://example.com' }),
      await stage.ask(2, 'ui/request-display-mode', { mode: 'pip' }),
    ];
    await stage.send({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } });
    for (const { error } of answers) expect(error).toEqual({ code: -32603, message: 'Internal error' });
    expect(stage.kinds('error').length).toBeGreaterThan(2);
    await healthy(stage);
  });
});

describe('the recording', () => {
  verifies(
    'HOST-036',
    'has every message of the app leg with its raw form, its decision and its answer',
    async () => {
      const stage = createStage();
      await stage.ready();
      await stage.send('garbage');
      await stage.ask(1, 'tools/call', { name: 'weather', arguments: { city: 'Köln' } });
      await stage.ask(2, 'tools/call', { name: 'nope' });
      await stage.proxy('violation', { directive: 'connect-src', blockedUri: 'https://evil.example' });
      const { session } = stage.session.getSnapshot();
      const entries = stage.recording.entries();
      expect(entries.every((entry) => entry.session === session && entry.writer === 'page')).toBe(true);
      const told = entries.map(({ leg, dir, kind, raw }) => ({ leg, dir, kind, raw }));
      expect(told[0]).toMatchObject({
        kind: 'lifecycle',
        raw: { type: 'session', server: 'weather-server', tool: 'weather' },
      });
      expect(told).toContainEqual({ leg: 'app', dir: 'in', kind: 'invalid', raw: 'garbage' });
      for (const raw of [
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'weather', arguments: { city: 'Köln' } },
        },
        { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'nope' } },
      ]) {
        expect(told).toContainEqual({ leg: 'app', dir: 'in', kind: 'request', raw });
      }
      expect(told).toContainEqual(
        expect.objectContaining({ dir: 'out', kind: 'response', raw: expect.objectContaining({ id: 1 }) }),
      );
      expect(stage.kinds('decision')).toMatchObject([
        { method: 'tools/call', allow: true, tool: 'weather' },
        { method: 'tools/call', allow: false, code: 'tool-not-found', tool: 'nope' },
      ]);
      expect(stage.kinds('violation')).toMatchObject([{ directive: 'connect-src', source: 'guest' }]);
      expect(stage.session.getSnapshot().violations).toHaveLength(1);
    },
  );

  verifies('HOST-006', 'keeps the policy that is enforced, with server and resource', async () => {
    const stage = createStage();
    await stage.mount();
    expect(stage.kinds('lifecycle')).toContainEqual(
      expect.objectContaining({
        type: 'policy',
        server: 'weather-server',
        resource: 'ui://weather/dashboard',
        csp: expect.stringContaining("default-src 'none'"),
      }),
    );
    expect(stage.session.getSnapshot().policy?.csp).toContain("connect-src 'none'");
  });
});
