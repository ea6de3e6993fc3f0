import { CasementError } from '../errors.js';
import { describe, expect, test, vi } from 'vitest';
import { createHandlersPort, type PortFinding, type ServerHandlers } from './index.js';
import { toServerIdentity } from './server-identity.js';

const user = { caller: 'user' } as const;
const tool = { name: 'echo', inputSchema: { type: 'object' } };
const open = (handlers: ServerHandlers, more: { identity?: string } = {}) => {
  const findings: PortFinding[] = [];
  const onFinding = (finding: PortFinding): void => void findings.push(finding);
  return { findings, port: createHandlersPort({ handlers, name: 'own', onFinding, ...more }) };
};

describe('a port over plain functions', () => {
  test('passes params and options on and parses what comes back', async () => {
    const callTool = vi.fn(() => ({ content: [{ type: 'text', text: 'hi' }], structuredContent: [1] }));
    const { port } = open({ callTool });
    const { signal } = new AbortController();
    const options = { caller: 'app', signal, onProgress: () => undefined } as const;
    expect(await port.callTool({ name: 'echo', arguments: { a: 1 } }, options)).toEqual({
      content: [{ type: 'text', text: 'hi' }],
    });
    expect(callTool).toHaveBeenCalledWith({ name: 'echo', arguments: { a: 1 } }, options);
  });

  test('takes lists bare or as their result, and leaves bad entries out with a finding', async () => {
    const { port, findings } = open({
      listTools: () => [tool, { title: 'nameless' }],
      listResources: async () => ({ resources: [{ uri: 'ui://a', name: 'a' }] }),
      listPrompts: () => ({ prompts: [{ name: 'p' }, 7] }),
    });
    expect(await port.listTools()).toMatchObject([tool]);
    expect(await port.listResources()).toMatchObject([{ uri: 'ui://a' }]);
    expect(await port.listPrompts?.()).toMatchObject([{ name: 'p' }]);
    expect(findings).toMatchObject([
      { code: 'list-item-invalid', message: expect.stringContaining('tools/list: entry 1') },
      { code: 'list-item-invalid', message: expect.stringContaining('prompts/list: entry 1') },
    ]);
    await expect(open({ listTools: () => 'none' }).port.listTools()).rejects.toMatchObject({
      code: 'server-garbage',
    });
  });

  test('offers only what it was given', async () => {
    const { port } = open({});
    expect(await port.listTools()).toEqual([]);
    expect(await port.listResources()).toEqual([]);
    expect(Object.keys(port)).not.toContain('listPrompts');
    expect(Object.keys(port)).not.toContain('listResourceTemplates');
    expect(Object.keys(port)).not.toContain('subscribeResource');
    await expect(port.callTool({ name: 'x' }, user)).rejects.toMatchObject({ code: 'tool-not-found' });
    await expect(port.readResource({ uri: 'ui://x' }, user)).rejects.toMatchObject({
      code: 'resource-missing',
    });
  });

  test.each([
    ['a JSON-RPC error', { code: -32042, message: 'open this', data: { elicitations: [] } }, 'tool-failed'],
    ['an HTTP 401', Object.assign(new Error('nope'), { status: 401 }), 'server-sign-in'],
    ['an HTTP 500', Object.assign(new Error('nope'), { status: 500 }), 'server-unreachable'],
    ['an error of ours', new CasementError('tool-not-visible', 'hidden'), 'tool-not-visible'],
    ['any other error', new Error('secret at http://10.0.0.1'), 'tool-failed'],
    ['nonsense', 'secret', 'tool-failed'],
  ])('%s that is thrown gets its name', async (_what, thrown, code) => {
    const { port } = open({
      callTool: () => {
        throw thrown;
      },
    });
    const error = await port.callTool({ name: 'x' }, user).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CasementError);
    expect(error).toMatchObject({ code });
    expect(JSON.stringify(error)).not.toContain('secret');
    if (code === 'tool-failed' && typeof thrown === 'object' && 'data' in thrown)
      expect(error).toMatchObject({ wire: thrown });
    if (code === 'server-sign-in')
      expect(error).toMatchObject({ wire: { code: -32000, data: { httpStatus: 401 } } });
  });

  test('a call that was aborted is cancelled, whatever was thrown', async () => {
    const controller = new AbortController();
    controller.abort();
    const { port } = open({ readResource: () => Promise.reject(new Error('x')) });
    await expect(
      port.readResource({ uri: 'ui://x' }, { ...user, signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('subscriptions reach the handlers once for many, and again after a failure', async () => {
    const subscribeResource = vi.fn(() => undefined);
    const unsubscribeResource = vi.fn(() => undefined);
    const { port } = open({ subscribeResource, unsubscribeResource });
    const params = { uri: 'ui://a' };
    await Promise.all([1, 2, 3].map(() => port.subscribeResource?.(params)));
    expect(subscribeResource).toHaveBeenCalledTimes(1);
    await port.unsubscribeResource?.(params);
    await port.unsubscribeResource?.(params);
    expect(unsubscribeResource).not.toHaveBeenCalled();
    await port.unsubscribeResource?.(params);
    expect(unsubscribeResource).toHaveBeenCalledTimes(1);
    subscribeResource.mockImplementationOnce(() => {
      throw new Error('not now');
    });
    await expect(port.subscribeResource?.(params)).rejects.toMatchObject({ code: 'peer-error' });
    await port.subscribeResource?.(params);
    expect(subscribeResource).toHaveBeenCalledTimes(3);
  });

  test('tasks reach the handlers, and what they say is parsed', async () => {
    const cancel = vi.fn();
    const { port } = open({
      callTool: (params) => ({ task: { taskId: 't', status: 'working', asked: params.task } }),
      tasks: {
        get: (taskId) => (taskId === 't' ? { taskId, status: 'completed' } : { taskId, status: 'lost' }),
        result: () => ({ content: [], structuredContent: [1] }),
        cancel,
      },
    });
    expect(await port.callTool({ name: 'x', task: { ttl: 5 } }, user)).toMatchObject({
      task: { taskId: 't', asked: { ttl: 5 } },
    });
    expect(await port.tasks?.get('t')).toEqual({ taskId: 't', status: 'completed' });
    await expect(port.tasks?.get('u')).rejects.toMatchObject({ code: 'server-garbage' });
    expect(await port.tasks?.result('t')).toEqual({ content: [] });
    await port.tasks?.cancel('t');
    expect(cancel).toHaveBeenCalledExactlyOnceWith('t');
    expect(open({}).port).not.toHaveProperty('tasks');
  });

  test('events come from the handlers', () => {
    const stop = vi.fn();
    const heard = vi.fn();
    const { port } = open({
      subscribe: (listener) => {
        listener({ type: 'tools-changed' });
        return stop;
      },
    });
    port.subscribe(heard)();
    expect(heard).toHaveBeenCalledWith({ type: 'tools-changed' });
    expect(stop).toHaveBeenCalledOnce();
    expect(open({}).port.subscribe(heard)()).toBeUndefined();
  });
});

describe('the identity of a server', () => {
  const command = 'node /home/me/server.js --token=abc';

  test('is a salted hash that tells nothing', async () => {
    const identity = await toServerIdentity(command, 'salt');
    expect(identity).toMatch(/^[\w-]{43}$/);
    expect(await toServerIdentity(command, 'salt')).toBe(identity);
    expect(await toServerIdentity(command, 'other')).not.toBe(identity);
    expect(await toServerIdentity(`t${command}`, 'sal')).not.toBe(identity);
    expect(open({}, { identity }).port.identity).toBe(identity);
    await expect(toServerIdentity(command, '')).rejects.toMatchObject({ code: 'invalid-params' });
  });

  test('is random when none is given, and never in clear', () => {
    const [first, second] = [open({}).port.identity, open({}).port.identity];
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(first).not.toBe(second);
    for (const clear of [command, 'https://example.com/mcp', ''])
      expect(() => open({}, { identity: clear })).toThrow(CasementError);
  });
});
