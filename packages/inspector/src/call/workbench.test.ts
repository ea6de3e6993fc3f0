import type { ServerSummary } from '@casement/gateway';
import type { AppResources } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import type { Tool } from '@casement/protocol';
import { describe, expect, test } from 'vitest';
import { createArgumentMemory } from './argument-memory.js';
import type { ListedServer, ServerList } from '../servers/server-list.js';
import { readDeepLink, toQuery } from '../address/page-address.js';
import { createWorkbench, toCallAddress } from './workbench.js';

const createStorage = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
};

const tool = (name: string): Tool => ({
  name,
  inputSchema: { type: 'object', properties: { n: { type: 'integer', default: 3 } } },
});

const unused = () => Promise.reject(new Error('not called'));

const port: ServerPort = {
  name: 'a',
  identity: 'a',
  listTools: unused,
  listResources: unused,
  callTool: unused,
  readResource: unused,
  subscribe: () => () => undefined,
};

const createServers = (names: string[]) => {
  const servers = new Map<string, ListedServer>();
  const listeners = new Set<(name: string) => void>();
  const resources: AppResources = {
    prefetch: () => undefined,
    read: unused,
    readAhead: unused,
    peek: () => undefined,
    close: () => undefined,
  };
  const put = (name: string, status: ServerSummary['status'], tools: Tool[]): void => {
    servers.set(name, {
      summary: { name, status, identity: name, kind: 'stdio', source: 'typed' },
      port: { ...port, name },
      resources,
      peekItem: () => undefined,
      tools,
      listing: status === 'ready' ? 'read' : 'waiting',
    });
    for (const listener of listeners) listener(name);
  };
  for (const name of names) put(name, 'ready', [tool('one'), tool('two')]);
  const list: ServerList = {
    all: () => [...servers.values()],
    find: (name) => (name === undefined ? undefined : servers.get(name)),
    watch: async () => undefined,
    restart: () => Promise.resolve(),
    order: (wanted) => {
      const before = new Map(servers);
      servers.clear();
      for (const name of wanted) {
        const server = before.get(name);
        if (server) servers.set(name, server);
      }
      for (const listener of listeners) listener(wanted[0] ?? '');
      return Promise.resolve();
    },
    listed: () => Promise.resolve(),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const remove = (name: string): void => {
    servers.delete(name);
    for (const listener of listeners) listener(name);
  };
  return { list, put, remove };
};

const create = (storage = createStorage()) => createWorkbench(createArgumentMemory(storage));

describe('the workbench', () => {
  test('begins with the first server, its first tool and the schema’s defaults', () => {
    const workbench = create();
    workbench.open(createServers(['a', 'b']).list, { run: false });
    expect(workbench.getSnapshot()).toMatchObject({ serverName: 'a', toolName: 'one', face: 'form' });
    expect(workbench.read()?.args).toEqual({ n: 3 });
    expect(workbench.readTool()?.tool.name).toBe('one');
  });

  test('tells nobody when a call is read that nothing speaks against', () => {
    const workbench = create();
    workbench.open(createServers(['a']).list, { run: false });
    let told = 0;
    workbench.subscribe(() => (told += 1));
    workbench.read();
    expect(told).toBe(0);
    workbench.setText('{');
    told = 0;
    for (let times = 0; times < 2; times += 1) expect(workbench.read()).toBeUndefined();
    expect({ told, problem: workbench.getSnapshot().problem === '' }).toEqual({ told: 1, problem: false });
  });

  test('chooses the first server that comes, and another when the chosen one is gone', () => {
    const servers = createServers([]);
    const workbench = create();
    workbench.open(servers.list, { run: false });
    expect(workbench.getSnapshot().serverName).toBeUndefined();
    servers.put('a', 'unconfirmed', []);
    servers.put('b', 'ready', [tool('one')]);
    expect(workbench.getSnapshot()).toMatchObject({ serverName: 'a', server: { summary: { name: 'a' } } });
    servers.remove('a');
    expect(workbench.getSnapshot()).toMatchObject({ serverName: 'b', toolName: 'one' });
    servers.remove('b');
    expect(workbench.getSnapshot()).toMatchObject({
      serverName: undefined,
      toolName: undefined,
      servers: [],
    });
  });

  test('moves a server by places, and never out of the list', async () => {
    const workbench = create();
    workbench.open(createServers(['a', 'b', 'c']).list, { run: false });
    const names = () => workbench.getSnapshot().servers.map(({ summary }) => summary.name);
    await workbench.moveServer('a', 1);
    expect(names()).toEqual(['b', 'a', 'c']);
    await workbench.moveServer('c', -2);
    expect(names()).toEqual(['c', 'b', 'a']);
    await workbench.moveServer('a', 1);
    await workbench.moveServer('nobody', 1);
    expect(names()).toEqual(['c', 'b', 'a']);
    expect(workbench.getSnapshot()).toMatchObject({ serverName: 'a', toolName: 'one' });
  });

  test('follows a link, and shows as JSON what its form could not', () => {
    const workbench = create();
    workbench.open(createServers(['a', 'b']).list, {
      server: 'b',
      tool: 'two',
      args: '{"other":1}',
      run: false,
    });
    expect(workbench.getSnapshot()).toMatchObject({ serverName: 'b', toolName: 'two', face: 'json' });
    expect(workbench.read()?.args).toEqual({ other: 1 });
  });

  test('says when a link names what is not there', () => {
    const workbench = create();
    workbench.open(createServers(['a']).list, { server: 'x', run: false });
    expect(workbench.getSnapshot().problem).toContain('x');
    const other = create();
    other.open(createServers(['a']).list, { tool: 'y', run: false });
    expect(other.getSnapshot().problem).toContain('y');
    expect(other.read()).toBeUndefined();
    const late = createServers([]);
    late.put('a', 'connecting', []);
    const waiting = create();
    waiting.open(late.list, { tool: 'y', run: false });
    expect(waiting.getSnapshot().problem).toBe('');
    late.put('a', 'ready', [tool('one')]);
    expect(waiting.getSnapshot()).toMatchObject({ toolName: 'y', problem: expect.stringContaining('y') });
  });

  test('remembers arguments by server and tool, unless a link brings its own', () => {
    const storage = createStorage();
    const workbench = create(storage);
    workbench.open(createServers(['a', 'b']).list, { run: false });
    workbench.setText('{"n":9}');
    workbench.selectTool('two');
    expect(workbench.read()?.args).toEqual({ n: 3 });
    workbench.selectTool('one');
    expect(workbench.read()?.args).toEqual({ n: 9 });
    workbench.selectServer('b');
    expect(workbench.read()?.args).toEqual({ n: 3 });

    const again = create(storage);
    again.open(createServers(['a']).list, { run: false });
    expect(again.read()?.args).toEqual({ n: 9 });
    const linked = create(storage);
    linked.open(createServers(['a']).list, { tool: 'one', args: '{"n":1}', run: false });
    expect(linked.read()?.args).toEqual({ n: 1 });
  });

  test('takes up tools that arrive late, with the arguments given meanwhile', () => {
    const servers = createServers([]);
    servers.put('a', 'connecting', []);
    const plain = create();
    plain.open(servers.list, { run: false });
    const linked = create();
    linked.open(servers.list, { tool: 'two', args: '{"n":1}', run: false });
    const bare = create();
    bare.open(servers.list, { tool: 'two', run: false });
    expect(plain.read()).toBeUndefined();
    servers.put('a', 'ready', [tool('one'), tool('two')]);
    expect(plain.read()).toMatchObject({ tool: { name: 'one' }, args: { n: 3 } });
    expect(linked.read()).toMatchObject({ tool: { name: 'two' }, args: { n: 1 } });
    expect(bare.read()).toMatchObject({ tool: { name: 'two' }, args: { n: 3 } });
  });

  test('keeps tool and text when the server starts anew', () => {
    const workbench = create();
    const { list, put } = createServers(['a']);
    workbench.open(list, { run: false });
    workbench.selectTool('two');
    workbench.setText('{"n":7}');
    put('a', 'exited', [tool('one'), tool('two')]);
    expect(workbench.read()).toBeUndefined();
    put('a', 'ready', [tool('one'), tool('two')]);
    expect(workbench.read()).toMatchObject({ tool: { name: 'two' }, args: { n: 7 } });
  });

  test('runs nothing that is not an object, and says why', () => {
    const workbench = create();
    workbench.open(createServers(['a']).list, { run: false });
    workbench.setText('[1]');
    expect(workbench.read()).toBeUndefined();
    expect(workbench.getSnapshot().problem).toMatch(/object/);
    workbench.setText('{}');
    expect(workbench.getSnapshot().problem).toBe('');
  });
});

const bringBack = (call: Parameters<typeof toCallAddress>[0]) =>
  readDeepLink({ search: toQuery('', toCallAddress(call)), hash: '' });

describe('the address of a call', () => {
  test('brings server, tool and arguments back, and does not run them', () => {
    expect(bringBack({ serverName: 'a&b', toolName: 'c d', text: '{\n  "n": "ü"\n}' })).toEqual({
      server: 'a&b',
      tool: 'c d',
      args: '{"n":"ü"}',
      run: false,
    });
  });

  test('carries empty arguments too, and text that is not JSON yet as it is', () => {
    expect(bringBack({ serverName: 'a', toolName: 'b', text: '' }).args).toBe('{}');
    expect(bringBack({ serverName: 'a', toolName: 'b', text: '{"n": ' }).args).toBe('{"n":');
  });

  test('leaves out what is not selected and what is too long for an address', () => {
    expect(bringBack({ text: '{}' })).toEqual({ run: false });
    const text = JSON.stringify({ long: 'x'.repeat(10_000) });
    expect(bringBack({ serverName: 'a', toolName: 'b', text })).toEqual({
      server: 'a',
      tool: 'b',
      run: false,
    });
  });
});
