import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { type JsonRpcMessage, type Tool } from '../index.js';
import { createDialectDoor } from '../dialects.js';
import { findMethod } from '../wire.js';
import { dialectAliases } from './older-names.js';
import type { DialectDoor } from './door.js';

const request = (method: string, params?: Record<string, unknown>, id: string | number = 1) => ({
  jsonrpc: '2.0' as const,
  id,
  method,
  ...(params && { params }),
});
const notification = (method: string, params?: Record<string, unknown>) => ({
  jsonrpc: '2.0' as const,
  method,
  ...(params && { params }),
});

/** What the peer hears of a message, without the envelope. */
const hears = (door: DialectDoor, raw: unknown): unknown[] =>
  door.receive(raw).messages.map((message) => {
    const { method, params } = message as { method?: string; params?: unknown }; // only for reading
    return params === undefined ? method : [method, params];
  });
const posts = (door: DialectDoor, message: JsonRpcMessage): unknown[] =>
  door.send(message).messages.map(({ message: { jsonrpc: _version, ...rest } }) => rest);

const oldInitialize = (params: Record<string, unknown> = {}) =>
  request('ui/initialize', {
    protocolVersion: '2025-06-18',
    clientInfo: { name: 'old', version: '1' },
    capabilities: {},
    ...params,
  });
const newInitialize = (params: Record<string, unknown> = {}) =>
  request('ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name: 'new', version: '1' },
    appCapabilities: {},
    ...params,
  });
const answer: JsonRpcMessage = {
  jsonrpc: '2.0',
  id: 1,
  result: {
    protocolVersion: '2026-01-26',
    hostInfo: { name: 'host', version: '1' },
    hostCapabilities: { serverTools: {}, serverResources: {}, openLinks: {} },
    hostContext: {
      toolInfo: { tool: { name: 'weather', inputSchema: { type: 'object' } } },
      containerDimensions: { width: 600, maxHeight: 400 },
      timeZone: 'Europe/Berlin',
      availableDisplayModes: ['inline', 'pip'],
    },
  },
};
const { result } = answer;
/** A document that shook hands in the given way. */
const doorOf = (initialize: JsonRpcMessage): DialectDoor => {
  const door = createDialectDoor();
  door.receive(initialize);
  door.send(answer);
  return door;
};

describe('an app that speaks the specification', () => {
  test('is passed through untouched in both directions', () => {
    const door = createDialectDoor();
    const messages = [
      newInitialize(),
      notification('ui/notifications/initialized'),
      request('ui/message', { role: 'user', content: [{ type: 'text', text: 'Hi' }] }, 2),
      request('tools/call', { name: 'weather' }, 3),
      notification('notifications/message', { level: 'info', data: 1 }),
    ];
    for (const raw of messages) {
      const received = door.receive(raw);
      expect(received).toEqual({ messages: [raw], replies: [], findings: [] });
      expect(received.messages[0]).toBe(raw);
    }
    for (const message of [
      answer,
      notification('ui/notifications/tool-result', { content: [] }),
      request('ui/resource-teardown', {}),
    ]) {
      expect(door.send(message)).toEqual({ messages: [{ message }], implied: [], findings: [] });
    }
    expect(door.dialects).toEqual([]);
  });
});

describe('older names of what apps send', () => {
  test.each([
    ['ui/size-change', { height: 5 }, 'ui/notifications/size-changed', { height: 5 }, ['first-draft']],
    ['ui/notifications/size-change', { height: 5 }, 'ui/notifications/size-changed', { height: 5 }, []],
    ['ui/setSize', { width: 7 }, 'ui/notifications/size-changed', { width: 7 }, ['frontmcp']],
    ['ui/close', { reason: 'done' }, 'ui/notifications/request-teardown', { reason: 'done' }, ['frontmcp']],
    ['ui/openLink', { url: 'https://a.example' }, 'ui/open-link', { url: 'https://a.example' }, ['frontmcp']],
    ['ui/setDisplayMode', { mode: 'pip' }, 'ui/request-display-mode', { mode: 'pip' }, ['frontmcp']],
    [
      'ui/callServerTool',
      { name: 'x', arguments: {} },
      'tools/call',
      { name: 'x', arguments: {} },
      ['frontmcp'],
    ],
    [
      'ui/updateModelContext',
      { context: { a: 1 } },
      'ui/update-model-context',
      { structuredContent: { a: 1 } },
      ['frontmcp'],
    ],
    [
      'ui/updateModelContext',
      { context: 'so' },
      'ui/update-model-context',
      { content: [{ type: 'text', text: 'so' }] },
      ['frontmcp'],
    ],
    [
      'ui/log',
      { level: 'warn', message: 'm', data: 1 },
      'notifications/message',
      { level: 'warning', data: { message: 'm', data: 1 } },
      ['frontmcp'],
    ],
    [
      'ui/log',
      { level: 'error', message: 'm' },
      'notifications/message',
      { level: 'error', data: { message: 'm' } },
      ['frontmcp'],
    ],
    ['ui/log', { level: 'info', data: 'm' }, 'notifications/message', { level: 'info', data: 'm' }, []],
  ])('%s is understood as %s', (name, params, method, expected, dialects) => {
    const door = createDialectDoor();
    const raw = request(name, params, 'a');
    const received = door.receive(raw);
    const isAnswered = findMethod(['app'], method)?.kind === 'request';
    const message = isAnswered ? request(method, expected, 'a') : notification(method, expected);
    expect(received.messages).toEqual([message]);
    expect(received.normalised).toEqual(message);
    // A request is answered under its id whatever it is called; a notification of today gets an empty answer.
    expect(received.replies).toEqual(isAnswered ? [] : [{ jsonrpc: '2.0', id: 'a', result: {} }]);
    expect(received.findings[0]).toMatchObject({ code: 'dialect', path: name, fix: `Send ${method}.` });
    expect(received.findings[0]?.message).toContain(method);
    // A second one only where the dialect itself would not have sent an id.
    const { kind } = dialectAliases.find((alias) => alias.name === name) ?? {};
    expect(received.findings).toHaveLength(kind === 'request' ? 1 : 2);
    expect(door.dialects).toEqual(dialects);
    expect(door.receive(raw).findings, 'each is told once').toEqual([]);
  });

  verifies(['S1-35', 'S2-32'], 'the ready notice of a proxy is understood under its old name', () => {
    expect(hears(createDialectDoor(), notification('ui/notifications/sandbox-ready', {}))).toEqual([
      ['ui/notifications/sandbox-proxy-ready', {}],
    ]);
  });

  test('every alias is the name of no message of today, and stands for one its sender may send', () => {
    for (const { name, method, from } of dialectAliases) {
      expect(findMethod(['app', 'host', 'proxy'], name), name).toBeUndefined();
      expect(findMethod([from], method), name).toBeDefined();
    }
    expect(new Set(dialectAliases.map(({ name }) => name)).size).toBe(dialectAliases.length);
  });

  test.each(dialectAliases.filter(({ from }) => from === 'host').map(({ name }) => name))(
    '%s is a name of hosts: recognised from an app, not acted upon',
    (name) => {
      const raw = request(name, {});
      const received = createDialectDoor().receive(raw);
      expect(received.messages).toEqual([raw]);
      expect(received.replies).toEqual([]);
      expect(received.findings).toEqual([expect.objectContaining({ code: 'dialect', path: name })]);
    },
  );
});

describe('older shapes of what apps send', () => {
  test('clientInfo and capabilities of the first drafts become appInfo and appCapabilities', () => {
    const door = createDialectDoor();
    const received = door.receive(oldInitialize());
    expect(received.messages).toEqual([
      request('ui/initialize', {
        protocolVersion: '2025-06-18',
        appInfo: { name: 'old', version: '1' },
        appCapabilities: {},
      }),
    ]);
    expect(received.findings).toEqual([
      expect.objectContaining({ code: 'dialect', fix: 'Send appInfo, appCapabilities and protocolVersion.' }),
    ]);
    expect(door.dialects).toEqual(['first-draft', 'goose']);
  });

  test('what the old shape left out is filled, what it said stays', () => {
    expect(
      hears(createDialectDoor(), request('ui/initialize', { clientInfo: { name: 'n', extra: 1 } })),
    ).toEqual([
      [
        'ui/initialize',
        {
          appInfo: { name: 'n', extra: 1, version: 'unknown' },
          appCapabilities: {},
          protocolVersion: 'unknown',
        },
      ],
    ]);
    // Today's shape is not completed: what is missing there is a mistake the author should hear of.
    const bare = request('ui/initialize', { appInfo: { name: 'n' } });
    expect(createDialectDoor().receive(bare).messages).toEqual([bare]);
  });

  verifies('S2-13', 'a message of one block, of bare text or without role becomes a list by the user', () => {
    const block = { type: 'text', text: 'Hi' };
    const expected = [['ui/message', { role: 'user', content: [block] }]];
    for (const params of [
      { role: 'user', content: block },
      { content: block },
      { content: [block] },
      { content: 'Hi' },
    ]) {
      expect(hears(createDialectDoor(), request('ui/message', params))).toEqual(expected);
    }
  });

  test('model context is merged with what was said before unless told otherwise', () => {
    const stored = { structuredContent: { a: 1, b: 1 } };
    const door = createDialectDoor({ modelContext: () => stored });
    const says = (params: Record<string, unknown>) => hears(door, request('ui/updateModelContext', params));
    expect(says({ context: { b: 2 } })).toEqual([
      ['ui/update-model-context', { structuredContent: { a: 1, b: 2 } }],
    ]);
    expect(says({ context: { b: 2 }, merge: false })).toEqual([
      ['ui/update-model-context', { structuredContent: { b: 2 } }],
    ]);
    expect(stored).toEqual({ structuredContent: { a: 1, b: 1 } });
  });

  test('a notification sent as a request is answered, a request sent as a notification stays what it is', () => {
    const door = createDialectDoor();
    const sized = door.receive(request('ui/notifications/size-changed', { height: 1 }, 9));
    expect(sized.messages).toEqual([notification('ui/notifications/size-changed', { height: 1 })]);
    expect(sized.replies).toEqual([{ jsonrpc: '2.0', id: 9, result: {} }]);
    expect(sized.findings).toEqual([expect.objectContaining({ fix: 'Send it without an id.' })]);

    const called = door.receive(notification('tools/call', { name: 'x' }));
    expect(called.messages).toEqual([notification('tools/call', { name: 'x' })]);
    expect(called.replies).toEqual([]);
    expect(called.findings).toEqual([expect.objectContaining({ fix: 'Send it as a request, with an id.' })]);
  });
});

describe('tools announced one by one', () => {
  const tool = { name: 'pick', description: 'Picks', inputSchema: { type: 'object' } };

  test('are listed, with a finding that says they cannot be called', () => {
    const lists: (readonly Tool[])[] = [];
    const door = createDialectDoor({ onAnnouncedTools: (tools) => lists.push(tools) });
    const received = door.receive(request('ui/registerTool', tool, 1));
    expect(received.messages).toEqual([]);
    expect(received.replies).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
    expect(received.findings[0]?.message).toContain('no way to call');
    door.receive(request('ui/unregisterTool', { name: 'pick' }, 2));
    expect(lists).toEqual([[tool], []]);
    expect(door.receive(request('ui/unregisterTool', { name: 'constructor' }, 3)).replies[0]).toHaveProperty(
      'error.code',
      -32602,
    );
    expect(door.receive(request('ui/registerTool', { name: 7 }, 4)).replies[0]).toHaveProperty(
      'error.code',
      -32602,
    );
    expect(lists).toHaveLength(2);
  });

  test('are at most fifty', () => {
    let count = 0;
    const door = createDialectDoor({ onAnnouncedTools: (tools) => (count = tools.length) });
    for (let i = 0; i < 60; i += 1) door.receive(request('ui/registerTool', { ...tool, name: `t${i}` }, i));
    expect(count).toBe(50);
  });

  test('sec-B1 have 256 KB together, whatever was registered and taken back before', () => {
    const names: string[] = [];
    const door = createDialectDoor({
      onAnnouncedTools: (tools) => void names.splice(0, 50, ...tools.map(({ name }) => name)),
    });
    const register = (name: string, length: number) =>
      door.receive(request('ui/registerTool', { ...tool, name, description: 'x'.repeat(length) }, name))
        .replies[0];
    register('a', 200_000);
    register('a', 200_000);
    expect(register('b', 100_000)).toHaveProperty('error.code', -32602);
    door.receive(request('ui/unregisterTool', { name: 'a' }, 'gone'));
    register('b', 100_000);
    expect(names).toEqual(['b']);
  });
});

describe('what an app of an older document receives', () => {
  const input = notification('ui/notifications/tool-input', { arguments: { a: 1 } });
  const output = notification('ui/notifications/tool-result', { content: [], isError: false });
  const cancelled = notification('ui/notifications/tool-cancelled', { reason: 'why' });
  const context = notification('ui/notifications/host-context-changed', { theme: 'dark' });
  const methods = (door: DialectDoor, message: JsonRpcMessage): unknown[] =>
    posts(door, message).map((sent) => (sent as { method: string }).method); // only for reading

  verifies('S4-24', 'ui/toolInput is sent beside tool-input to an app of that document', () => {
    const door = doorOf(newInitialize({ protocolVersion: '2025-01-01' }));
    expect(door.dialects).toEqual(['architecture-page']);
    expect(posts(door, input)).toEqual([
      { method: 'ui/notifications/tool-input', params: { arguments: { a: 1 } } },
      { method: 'ui/toolInput', params: { arguments: { a: 1 } } },
    ]);
  });

  verifies('S4-25', 'ui/toolResult is sent beside tool-result to an app of that document', () => {
    const door = doorOf(newInitialize({ protocolVersion: '2025-01-01' }));
    expect(posts(door, output)).toEqual([
      { method: 'ui/notifications/tool-result', params: { content: [], isError: false } },
      { method: 'ui/toolResult', params: { content: [], isError: false } },
    ]);
  });

  verifies('S4-26', 'ui/teardown is asked instead of ui/resource-teardown, once, under the same id', () => {
    const teardown = request('ui/resource-teardown', { reason: 'done' }, 7);
    const door = doorOf(newInitialize({ protocolVersion: '2025-01-01' }));
    expect(door.send(teardown).messages).toEqual([
      { message: { ...teardown, method: 'ui/teardown' }, normalised: teardown },
    ]);
    expect(methods(doorOf(oldInitialize()), teardown)).toEqual(['ui/resource-teardown']);
  });

  verifies('S3-19', 'a cancelled call is told under the old name where an app expects it', () => {
    const door = doorOf(newInitialize({ appCapabilities: { supportsPartialInput: true } }));
    expect(posts(door, cancelled)).toEqual([
      { method: 'ui/notifications/tool-cancelled', params: { reason: 'why' } },
      { method: 'ui/notifications/cancelled', params: { reason: 'why' } },
    ]);
    expect(methods(doorOf(oldInitialize()), cancelled)).toEqual([
      'ui/notifications/tool-cancelled',
      'ui/tool-cancelled',
    ]);
  });

  test('the first draft hears of context under its name, with the fields of its time', () => {
    const room = notification('ui/notifications/host-context-changed', {
      containerDimensions: { maxWidth: 300, height: 200 },
      timeZone: 'Asia/Tokyo',
    });
    const door = doorOf(oldInitialize());
    expect(methods(door, context)).toEqual([
      'ui/notifications/host-context-changed',
      'ui/host-context-change',
    ]);
    expect(posts(door, room)).toContainEqual({
      method: 'ui/host-context-change',
      params: { ...room.params, viewport: { maxWidth: 300, width: 300, height: 200 } },
    });
    expect(posts(doorOf(newInitialize({ appCapabilities: { supportsPartialInput: true } })), room)).toEqual([
      {
        method: 'ui/notifications/host-context-changed',
        params: {
          ...room.params,
          viewport: { maxWidth: 300, width: 300, height: 200 },
          timezone: 'Asia/Tokyo',
        },
      },
    ]);
  });

  test('Goose-style apps find the tool name and the result beside the standard fields', () => {
    const door = doorOf(oldInitialize());
    expect(posts(door, input)[0]).toHaveProperty('params', { arguments: { a: 1 }, toolName: 'weather' });
    expect(posts(door, output)[0]).toHaveProperty('params', {
      content: [],
      isError: false,
      toolName: 'weather',
      result: { content: [], isError: false },
    });
  });

  test('the answer to ui/initialize keeps all of today and adds what each dialect reads', () => {
    const viewport = { width: 600, maxHeight: 400, height: 400 };
    const answered = (initialize: JsonRpcMessage): unknown => {
      const door = createDialectDoor();
      door.receive(initialize);
      return posts(door, answer)[0];
    };
    expect(answered(oldInitialize())).toEqual({
      id: 1,
      result: { ...result, hostContext: { ...(result['hostContext'] as object), viewport } },
    });
    expect(answered(newInitialize({ appCapabilities: { supportsPartialInput: true } }))).toEqual({
      id: 1,
      result: {
        ...result,
        hostCapabilities: {
          ...(result['hostCapabilities'] as object),
          serverToolProxy: true,
          openLink: true,
          modelContextUpdate: false,
          widgetTools: true,
          displayModes: ['inline', 'pip'],
        },
        hostContext: { ...(result['hostContext'] as object), viewport, timezone: 'Europe/Berlin' },
      },
    });
    expect(answered(newInitialize({ protocolVersion: '2025-01-01' }))).toEqual({
      id: 1,
      result: {
        ...result,
        hostCapabilities: { ...(result['hostCapabilities'] as object), tools: {}, resources: {} },
      },
    });
  });

  test('another answer with such fields, from a server for instance, is left alone', () => {
    const door = doorOf(oldInitialize());
    // The second has the id of the handshake, which was answered already.
    for (const other of [{ ...answer, id: 2 }, answer]) {
      expect(door.send(other).messages).toEqual([{ message: other }]);
    }
  });
});

describe('an app that never says it is ready', () => {
  const adapter = newInitialize({
    protocolVersion: '2024-11-05',
    appCapabilities: { tools: { listChanged: false } },
  });
  const ready = expect.objectContaining({ method: 'ui/notifications/initialized' });

  test('is taken as ready once answered, if its dialect has no word for it', () => {
    const door = createDialectDoor();
    expect(door.receive(adapter).messages).toHaveLength(1);
    const sending = door.send(answer);
    expect(sending.implied).toEqual([ready]);
    expect(sending.findings).toEqual([expect.objectContaining({ code: 'dialect' })]);
    expect(door.dialects).toEqual(['frontmcp']);
  });

  test('is taken as ready when it asks for something in that dialect, not before it was answered', () => {
    const door = createDialectDoor();
    const link = request('ui/openLink', { url: 'https://a.example' }, 5);
    expect(door.receive(link).messages).toHaveLength(1);
    const unknown = createDialectDoor();
    unknown.receive(newInitialize());
    expect(unknown.send(answer).implied).toEqual([]);
    expect(unknown.receive(link).messages).toEqual([
      ready,
      expect.objectContaining({ method: 'ui/open-link' }),
    ]);
    expect(unknown.receive(link).messages).toHaveLength(1);
  });

  test('is not said to be ready twice', () => {
    const door = createDialectDoor();
    door.receive(adapter);
    door.receive(notification('ui/notifications/initialized'));
    expect(door.send(answer).implied).toEqual([]);
  });

  test('is waited for in every other dialect', () => {
    for (const initialize of [
      newInitialize(),
      oldInitialize(),
      newInitialize({ protocolVersion: '2025-01-01' }),
      newInitialize({ protocolVersion: '2024-11-05' }),
    ]) {
      const door = createDialectDoor();
      door.receive(initialize);
      expect(door.send(answer).implied).toEqual([]);
    }
  });
});

describe('hostile input', () => {
  test('names and keys of prototypes are data', () => {
    const door = createDialectDoor({ modelContext: () => ({ structuredContent: {} }) });
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const raw = request(name, {});
      expect(door.receive(raw).messages).toEqual([raw]);
    }
    const context: unknown = JSON.parse('{"__proto__":{"polluted":1},"constructor":2}');
    const [message] = door.receive(request('ui/updateModelContext', { context })).messages;
    expect(JSON.stringify(message)).toContain('"__proto__":{"polluted":1}');
    expect('polluted' in {}).toBe(false);
    door.receive(
      JSON.parse(
        '{"jsonrpc":"2.0","id":1,"method":"ui/initialize","params":{"clientInfo":{"__proto__":{"polluted":1}}}}',
      ),
    );
    expect('polluted' in {}).toBe(false);
  });

  test('whatever is no message, and an answer, goes to the peer as it is', () => {
    const door = createDialectDoor();
    const answered = { jsonrpc: '2.0', id: 1, result: { method: 'ui/close' } };
    for (const raw of [undefined, null, 1, 'ui/close', [], {}, new Map(), { method: 'ui/close' }, answered]) {
      const received = door.receive(raw);
      expect(received.messages).toEqual([raw]);
      expect(received.replies).toEqual([]);
    }
  });

  test('values that cannot be read are left to the peer', () => {
    const door = createDialectDoor();
    const params = {
      get context(): never {
        throw new Error('read');
      },
    };
    const raw = request('ui/updateModelContext', params);
    expect(door.receive(raw).messages).toEqual([raw]);
  });

  test('handshakes beyond what anyone answers are not remembered', () => {
    const door = createDialectDoor();
    for (let id = 1; id <= 100; id += 1) door.receive({ ...oldInitialize(), id });
    const extended = (id: number): boolean =>
      door.send({ ...answer, id }).messages[0]?.normalised !== undefined;
    expect([1, 64, 65, 100].map(extended)).toEqual([true, true, false, false]);
  });

  test('dialects are listed in order, whichever was shown first', () => {
    const door = createDialectDoor();
    for (const name of ['ui/setSize', 'ui/size-change']) door.receive(request(name, {}));
    expect(door.dialects).toEqual(['first-draft', 'frontmcp']);
  });

  test('ten thousand different messages leave nothing behind', () => {
    const door = createDialectDoor();
    let findings = 0;
    for (let i = 0; i < 10_000; i += 1) {
      findings += door.receive(request(`ui/unknown-${i}`, {}, i)).findings.length;
      findings += door.receive(request('ui/size-change', { height: i }, i)).findings.length;
      findings += door.receive(oldInitialize({ extra: i })).findings.length;
    }
    expect(findings).toBeLessThan(10);
  });
});
