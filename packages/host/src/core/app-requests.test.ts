import type { PeerNotification, Tool } from '@casement/protocol';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createPlainServer, toolWith, uiTool } from './plain-server.test-support.js';
import { createStage, holdTime, initializeParams, settle, until } from './stage.test-support.js';

const call = (name: unknown, args?: Record<string, unknown>): Record<string, unknown> => ({
  name,
  ...(args ? { arguments: args } : {}),
});

const createServer = (...tools: Tool[]) => {
  const server = createPlainServer();
  server.tools = [uiTool, ...tools];
  return server;
};

describe('tools/call from an app', () => {
  verifies(
    ['HOST-077', 'HOST-020', 'S1-53', 'S2-14', 'S3-01'],
    'is answered with what the server returned, and with nothing else',
    async () => {
      const server = createServer();
      const result = {
        content: [],
        structuredContent: { degrees: 21 },
        _meta: { trace: 'x' },
        isError: true,
      };
      server.onCall = () => result;
      const stage = createStage({ server });
      await stage.ready();
      const before = stage.received.length;
      const answer = await stage.ask(7, 'tools/call', call('weather', { city: 'Köln' }));
      expect(answer).toEqual({ jsonrpc: '2.0', id: 7, result });
      expect(stage.received.slice(before)).toHaveLength(1);
      expect(server.calls).toMatchObject([{ name: 'weather', arguments: { city: 'Köln' }, caller: 'app' }]);
    },
  );

  verifies('HOST-022', 'is refused for a tool whose visibility does not include "app"', async () => {
    const hidden = [['model'], [], 'model', 'app', null, ['APP'], { 0: 'app' }, [['app']]];
    const server = createServer(...hidden.map((visibility, index) => toolWith(`t${index}`, visibility)));
    const stage = createStage({ server });
    await stage.ready();
    for (const index of hidden.keys()) {
      const { error } = await stage.ask(index, 'tools/call', call(`t${index}`));
      expect(error).toMatchObject({ code: -32000, data: { code: 'tool-not-visible' } });
      expect(error?.data?.hint).toContain('visibility');
    }
    expect(server.calls).toEqual([]);
  });

  verifies('HOST-022', 'is judged by the list as it is now', async () => {
    const server = createServer(toolWith('helper', ['app']));
    const stage = createStage({ server });
    await stage.ready();
    expect(await stage.ask(1, 'tools/call', call('helper'))).toHaveProperty('result');
    server.tools = [uiTool, toolWith('helper', ['model'])];
    server.emit({ type: 'tools-changed' });
    expect(await stage.ask(2, 'tools/call', call('helper'))).toHaveProperty(
      'error.data.code',
      'tool-not-visible',
    );
    server.tools = [uiTool];
    server.emit({ type: 'tools-changed' });
    expect(await stage.ask(3, 'tools/call', call('helper'))).toHaveProperty(
      'error.data.code',
      'tool-not-found',
    );
    expect(server.calls).toHaveLength(1);
  });

  verifies(['HOST-023', 'S4-11'], 'reaches only the server the app came from', async () => {
    const own = createServer(toolWith('shared', ['app']));
    const other = createPlainServer('other');
    other.tools = [toolWith('shared', ['app']), toolWith('only-there', ['app'])];
    const stage = createStage({ server: own });
    const neighbour = createStage({ server: other });
    await stage.ready();
    await neighbour.ready();
    await stage.ask(1, 'tools/call', call('shared'));
    for (const name of ['only-there', 'other__only-there', 'other/only-there']) {
      const { error } = await stage.ask(name, 'tools/call', {
        ...call(name),
        _meta: { serverId: 'other' },
        server: 'other',
      });
      expect(error?.data?.code).toBe('tool-not-found');
    }
    expect(own.calls.map(({ name }) => name)).toEqual(['shared']);
    expect(other.calls).toEqual([]);
  });

  test('finds no tool under names that mean something to JavaScript (B12)', async () => {
    const stage = createStage();
    await stage.ready();
    const names = ['__proto__', 'constructor', 'toString', 'x'.repeat(5000), 'weath\u202eer', ''];
    for (const [index, name] of names.entries()) {
      const { error } = await stage.ask(index, 'tools/call', call(name));
      expect(error).toMatchObject({ code: -32000, data: { code: 'tool-not-found' } });
      expect(error?.message).toMatch(/^[\x20-\x7e…]{1,200}$/);
    }
    for (const name of [null, 7, {}, []]) {
      expect(await stage.ask(`t${String(name)}`, 'tools/call', call(name))).toHaveProperty(
        'error.code',
        -32602,
      );
    }
    expect(stage.server.calls).toEqual([]);
  });

  test('before initialized is refused and not executed (B06)', async () => {
    const stage = createStage({ onOpenLink: async () => true });
    await stage.handOver();
    expect(await stage.ask(1, 'tools/call', call('weather'))).toHaveProperty(
      'error.data.code',
      'not-initialized',
    );
    await stage.ask(2, 'ui/initialize', initializeParams);
    expect(await stage.ask(3, 'tools/call', call('weather'))).toHaveProperty(
      'error.data.code',
      'not-initialized',
    );
    expect(await stage.ask(4, 'ui/open-link', { url: 'https://example.com' })).toHaveProperty(
      'error.code',
      -32000,
    );
    expect(stage.server.calls).toEqual([]);
    expect(stage.surface.links).toEqual([]);
  });

  verifies(
    'HOST-031',
    'can be cancelled, reports progress under its own token, and fails with safe words',
    async () => {
      const server = createServer();
      const stage = createStage({ server });
      await stage.ready();
      server.onCall = ({ signal }) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('stopped'))),
        );
      await stage.send({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { ...call('weather'), _meta: { progressToken: 'p-1' } },
      });
      await until(() => expect(server.calls).toHaveLength(1));
      server.calls[0]?.onProgress?.({ progress: 1, total: 2 });
      await settle();
      expect(stage.received.at(-1)).toMatchObject({
        method: 'notifications/progress',
        params: { progressToken: 'p-1', progress: 1, total: 2 },
      });
      await stage.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
      expect(server.calls[0]?.signal?.aborted).toBe(true);
      expect(stage.received.filter(({ id }) => id === 1)).toEqual([]);

      server.onCall = () => {
        throw new Error('ENOENT /home/me/.secret');
      };
      const { error } = await stage.ask(2, 'tools/call', call('weather'));
      expect(error).toMatchObject({ code: -32000, data: { code: 'tool-failed' } });
      expect(JSON.stringify(error)).not.toContain('secret');
      expect(JSON.stringify(stage.kinds('error'))).toContain('ENOENT');
      expect(await stage.ask(3, 'prompts/get', {})).toHaveProperty('error.code', -32601);
      expect(await stage.ask(4, 'tools/call', { name: 7 })).toHaveProperty('error.code', -32602);
    },
  );

  test('runs at most eight at a time, lets some wait and refuses the rest', async () => {
    const server = createServer();
    const finish: (() => void)[] = [];
    server.onCall = () => new Promise((resolve) => finish.push(() => resolve({ content: [] })));
    const stage = createStage({ server, limits: { maxCallsWaiting: 4 } });
    await stage.ready();
    for (let id = 1; id <= 14; id += 1) {
      await stage.send({ jsonrpc: '2.0', id, method: 'tools/call', params: call('weather') });
    }
    expect(server.calls).toHaveLength(8);
    expect(
      stage.received.filter(({ error }) => error?.data?.code === 'rate-limited').map(({ id }) => id),
    ).toEqual([13, 14]);
    await stage.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } });
    for (let turn = 0; turn < 4; turn += 1) {
      for (const done of finish.splice(0)) done();
      await settle();
    }
    expect(server.calls).toHaveLength(11);
    expect(stage.received.filter(({ id, result }) => typeof id === 'number' && result)).toHaveLength(11);
  });

  test('still works while the app is being torn down, so that it can save', async () => {
    const stage = createStage();
    await stage.ready();
    const app = stage.createApp({
      'ui/resource-teardown': async () => {
        await app.request('tools/call', { name: 'weather', arguments: { save: true } });
        return {};
      },
    });
    await stage.session.close('done');
    expect(stage.server.calls).toMatchObject([{ arguments: { save: true } }]);
    expect(stage.session.getSnapshot().status).toBe('closed');
  });
});

describe('tools/list and list changes', () => {
  verifies(
    ['HOST-079', 'HOST-080'],
    'an app sees the tools it may call, and every app hears of changes',
    async () => {
      holdTime();
      const server = createServer(toolWith('a', ['app']), toolWith('m', ['model']));
      const first = createStage({ server });
      const stages = [first, createStage({ server })];
      for (const stage of stages) await stage.ready();
      const { result } = await first.ask(1, 'tools/list');
      expect((result?.tools as Tool[]).map(({ name }) => name)).toEqual(['weather', 'a']);
      for (let burst = 0; burst < 2000; burst += 1) server.emit({ type: 'tools-changed' });
      server.emit({ type: 'resources-changed' });
      await vi.advanceTimersByTimeAsync(1_000);
      await settle();
      for (const stage of stages) {
        expect(stage.methods().filter((method) => method.endsWith('list_changed'))).toEqual([
          'notifications/tools/list_changed',
          'notifications/resources/list_changed',
        ]);
      }
    },
  );
});

describe('resources/read from an app', () => {
  verifies(['S1-55', 'S2-15'], 'goes to the own server, is recorded, and needs a URI', async () => {
    const stage = createStage();
    await stage.ready();
    expect(await stage.ask(1, 'resources/read', { uri: 'file:///notes.txt' })).toHaveProperty(
      'result.contents',
    );
    for (const [index, uri] of ['', 'notes', 'ui://a b', 'ui://a\nb', `ui://${'x'.repeat(9000)}`].entries()) {
      expect(await stage.ask(`u${index}`, 'resources/read', { uri })).toHaveProperty(
        'error.data.code',
        'resource-refused',
      );
    }
    expect(stage.server.reads).toEqual(['ui://weather/dashboard', 'file:///notes.txt']);
    expect(stage.kinds('decision')[0]).toMatchObject({ allow: true, uri: 'file:///notes.txt' });
  });
});

describe('ui/open-link', () => {
  const ask = async (url: unknown) => {
    const asked: unknown[] = [];
    const stage = createStage({ onOpenLink: async (request) => asked.push(request) > 0 });
    await stage.ready();
    const answer = await stage.ask(1, 'ui/open-link', { url });
    return { answer, asked, links: stage.surface.links, stage };
  };

  verifies(['HOST-058', 'S2-12'], 'opens a web page after the user agreed, in its normal form', async () => {
    const { answer, asked, links } = await ask('https://EXAMPLE.com/a?b=c#d');
    expect(answer.result).toEqual({});
    expect(asked).toEqual([
      { url: 'https://example.com/a?b=c#d', host: 'example.com', server: 'weather-server', warnings: [] },
    ]);
    expect(links).toEqual(['https://example.com/a?b=c#d']);
  });

  test('shows the ASCII form of a host that looks like another (E05)', async () => {
    const { asked } = await ask('https://аpple.com/');
    expect(asked).toMatchObject([{ host: 'xn--pple-43d.com' }]);
  });

  const refused: Record<string, unknown[]> = {
    'scripts in any spelling (E01)': [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\tscript:alert(1)',
      'java\nscript:alert(1)',
      '\u0001javascript:alert(1)',
    ],
    'documents without a site (E02)': [
      'data:text/html,x',
      'blob:https://example.com/1',
      'filesystem:https://example.com/x',
      'about:blank',
      'view-source:https://example.com',
      'chrome://settings',
    ],
    'other programs (E03)': [
      'file:///etc/passwd',
      'smb://host/share',
      'ms-msdt:/id',
      'vscode://file/x',
      'zoommtg://x',
      'ssh://host',
      'intent://x#Intent;end',
      'mailto:a@example.com',
    ],
    'user information (E04)': ['https://bank@evil.example', 'http://u:p@h.example', 'https://:p@h.example'],
    'the host and its sandbox (E06)': [
      'http://casement.localhost:6270/api/status',
      'http://localhost:6270/',
      'http://127.0.0.1:6270/',
      'http://[::1]:6270/',
      'http://127.1:6270/',
      'http://2130706433:6270/',
      'http://sandbox.casement.localhost:6271/proxy',
      'http://anything.casement.localhost:1/',
      'http://127.0.0.1:6271/',
    ],
    'what is no address (E07)': [
      '',
      '/relative',
      'example.com',
      '//example.com',
      `https://example.com/${'x'.repeat(70_000)}`,
      'https://',
      'https://exa mple.com',
    ],
  };
  for (const [what, urls] of Object.entries(refused)) {
    verifies(['HOST-058', 'HOST-059'], `refuses ${what}`, async () => {
      for (const url of urls) {
        const { answer, asked, links } = await ask(url);
        expect([url, answer.error?.code, asked, links]).toEqual([url, -32000, [], []]);
        expect(['link-invalid', 'link-refused']).toContain(answer.error?.data?.code);
      }
    });
  }

  test('refuses what is not a string as bad params', async () => {
    for (const url of [7, null, {}, ['https://example.com'], undefined]) {
      const { answer } = await ask(url);
      expect(answer.error?.code).toBe(-32602);
    }
  });

  verifies(
    'HOST-059',
    'does not open when the user says no, and asks once in a burst of 25 (E08)',
    async () => {
      const questions: ((yes: boolean) => void)[] = [];
      const stage = createStage({ onOpenLink: () => new Promise((resolve) => questions.push(resolve)) });
      await stage.ready();
      for (let id = 1; id <= 25; id += 1) {
        await stage.send({
          jsonrpc: '2.0',
          id,
          method: 'ui/open-link',
          params: { url: 'https://example.com' },
        });
      }
      expect(questions).toHaveLength(1);
      questions[0]?.(false);
      await settle();
      expect(stage.received.filter(({ error }) => error?.data?.code === 'rate-limited')).toHaveLength(24);
      expect(stage.received.find(({ id }) => id === 1)?.result).toEqual({ isError: true });
      expect(stage.surface.links).toEqual([]);
      expect(stage.kinds('decision')).toContainEqual(
        expect.objectContaining({ allow: false, code: 'link-denied' }),
      );
    },
  );

  test('does not open after the app was closed while the user thought', async () => {
    let answer = (_yes: boolean): void => undefined;
    const stage = createStage({
      onOpenLink: () => new Promise((resolve) => (answer = resolve)),
      limits: { teardownMs: 5 },
    });
    holdTime();
    await stage.ready();
    await stage.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'ui/open-link',
      params: { url: 'https://example.com' },
    });
    const closed = stage.session.close();
    await vi.advanceTimersByTimeAsync(5);
    await closed;
    answer(true);
    await settle();
    expect(stage.surface.links).toEqual([]);
  });
});

describe('ui/message', () => {
  const text = { type: 'text', text: 'Show tomorrow' };

  verifies(
    ['HOST-060', 'S2-13'],
    'is handed over with its role, as an array, from both spellings',
    async () => {
      const taken: unknown[] = [];
      const stage = createStage({ onMessage: async (message) => taken.push(message) > 0 });
      await stage.ready();
      expect(await stage.ask(1, 'ui/message', { role: 'user', content: [text] })).toHaveProperty(
        'result',
        {},
      );
      expect(await stage.ask(2, 'ui/message', { role: 'user', content: text })).toHaveProperty('result', {});
      const app = {
        server: 'weather-server',
        resource: 'ui://weather/dashboard',
        info: initializeParams.appInfo,
      };
      expect(taken).toEqual([
        { role: 'user', content: [text], app },
        { role: 'user', content: [text], app },
      ]);
    },
  );

  test('may be declined, is limited in number and size, and only speaks as the user (B25)', async () => {
    let asked = 0;
    const stage = createStage({
      onMessage: async () => {
        asked += 1;
        return false;
      },
    });
    await stage.ready();
    expect(await stage.ask(1, 'ui/message', { role: 'user', content: [text] })).toHaveProperty(
      'result.isError',
      true,
    );
    expect(await stage.ask(2, 'ui/message', { role: 'system', content: [text] })).toHaveProperty(
      'error.code',
      -32602,
    );
    const huge = { type: 'text', text: 'x'.repeat(300_000) };
    expect(await stage.ask(3, 'ui/message', { role: 'user', content: [huge] })).toHaveProperty(
      'error.data.code',
      'message-too-large',
    );
    for (let id = 10; id < 210; id += 1) {
      await stage.send({
        jsonrpc: '2.0',
        id,
        method: 'ui/message',
        params: { role: 'user', content: [text] },
      });
    }
    expect(asked).toBeLessThanOrEqual(3);
  });
});

verifies(
  ['S1-112', 'S2-18', 'S2-48'],
  'a running app calls tools, reads, logs, pings, speaks, opens links and resizes, and hears what changes',
  async () => {
    const heard: unknown[] = [];
    const stage = createStage({
      onOpenLink: async () => true,
      onMessage: async (message) => heard.push(message.content) > 0,
      onLog: (entry) => heard.push(entry),
    });
    await stage.ready();
    const changes: PeerNotification[] = [];
    const app = stage.createApp({}, (notification) => changes.push(notification));
    const content = [{ type: 'text' as const, text: 'Show tomorrow' }];
    await app.request('tools/call', { name: 'weather', arguments: { city: 'Köln' } });
    await app.request('resources/read', { uri: 'file:///notes.txt' });
    await app.request('ping', {});
    await app.request('ui/message', { role: 'user', content });
    await app.request('ui/open-link', { url: 'https://example.com/' });
    app.notify('notifications/message', { level: 'info', data: 'drawn' });
    app.notify('ui/notifications/size-changed', { height: 300 });
    stage.session.sendHostContextChanged({ theme: 'light' });
    await settle();
    // The server saw what is not in the ui/ family, and nothing of the rest.
    expect(stage.server.calls).toMatchObject([{ name: 'weather', arguments: { city: 'Köln' } }]);
    expect(stage.server.reads).toEqual(['ui://weather/dashboard', 'file:///notes.txt']);
    expect(heard).toEqual([content, { level: 'info', data: 'drawn' }]);
    expect(stage.surface.links).toEqual(['https://example.com/']);
    expect(stage.surface.sizes).toEqual([{ height: 300 }]);
    expect(changes).toEqual([
      { method: 'ui/notifications/host-context-changed', params: { theme: 'light' } },
    ]);
  },
);
