import type { CallToolResult, Peer, RequestHandlers, Task, Tool } from '@casement/protocol';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import type { ServerTasks } from '@casement/protocol/ports';
import type { SessionOptions } from './session-options.js';
import { createPlainServer, uiTool } from './plain-server.test-support.js';
import type { PlainServer } from './plain-server.test-support.js';
import type { Stage } from './stage.test-support.js';
import { createStage, holdTime, initializeParams, settle, until } from './stage.test-support.js';

const long = (extra: Partial<Tool> = {}): Tool => ({
  name: 'render',
  inputSchema: { type: 'object' },
  execution: { taskSupport: 'optional' },
  ...extra,
});
const done: CallToolResult = { content: [{ type: 'text', text: 'done' }] };
const toTask = (taskId: string, status: Task['status'] = 'working'): Task => ({
  taskId,
  status,
  pollInterval: 1,
});
/** The answer to a call that became a task: a result whose `task` the type of results does not know. */
const begun = (task: Task): CallToolResult => ({ content: [], task }) as CallToolResult;

const limits = { taskPollMs: 1, teardownMs: 20 };

/** A server whose tasks are over when a test says so. */
const createTaskServer = () => {
  const asked: string[] = [];
  let status: Task['status'] = 'working';
  let outcome = done;
  const tasks: ServerTasks = {
    async get(taskId) {
      asked.push(`get ${taskId}`);
      return toTask(taskId, status);
    },
    async result(taskId) {
      asked.push(`result ${taskId}`);
      return outcome;
    },
    async cancel(taskId) {
      asked.push(`cancel ${taskId}`);
    },
  };
  const server: PlainServer = Object.assign(createPlainServer(), { tasks });
  server.tools = [uiTool];
  server.onCall = () => begun(toTask('server-task'));
  const end = (next: Task['status'], result = done): void => {
    status = next;
    outcome = result;
  };
  return { server, asked, end };
};

/** A stage with an app that offers one tool. */
const createOffer = async (
  tool: Tool,
  toHandlers: (app: () => Peer) => RequestHandlers,
  options: Partial<SessionOptions> = {},
): Promise<Stage> => {
  const stage = createStage({ ...options, limits: { ...limits, ...options.limits } });
  await stage.handOver();
  const app: Peer = stage.createApp({
    'tools/list': () => ({ tools: [tool] }),
    ...toHandlers(() => app),
  });
  await stage.ask('init', 'ui/initialize', { ...initializeParams, appCapabilities: { tools: {} } });
  await stage.send({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
  await until(() => expect(stage.session.getSnapshot().appTools).toHaveLength(1));
  return stage;
};

/** Handlers of an app that hands its work to its server and passes the server's task on. */
const handOn = (app: () => Peer): RequestHandlers => ({
  'tools/call': () => app().request('tools/call', { name: 'weather', task: { ttl: 5 } }),
});

const asksOf = (stage: Stage): unknown[] =>
  stage.received.filter(({ method }) => method?.startsWith('tasks/')).map(({ method }) => method);

describe('a tool of an app that takes long', () => {
  verifies('HOST-104', 'is called as a task and the app is asked until it is over', async () => {
    const states: Task['status'][] = ['working', 'input_required', 'completed'];
    const stage = await createOffer(long(), () => ({
      'tools/call': () => begun(toTask('own')),
      'tasks/get': ({ taskId }) => toTask(taskId, states.shift() ?? 'failed'),
      'tasks/result': () => done,
    }));
    const onTask = vi.fn();
    expect(await stage.session.callAppTool('render', { size: 3 }, { onTask })).toEqual(done);
    expect(stage.received.find(({ method }) => method === 'tools/call')?.params).toEqual({
      name: 'render',
      arguments: { size: 3 },
      task: { ttl: 600_000 },
    });
    expect(asksOf(stage)).toEqual(['tasks/get', 'tasks/get', 'tasks/get', 'tasks/result']);
    expect(onTask).toHaveBeenCalledExactlyOnceWith({ taskId: 'own', ofServer: false });
  });

  verifies('HOST-104', 'and is handed on to the server is followed there after the app is gone', async () => {
    const { server, asked, end } = createTaskServer();
    const stage = await createOffer(long(), handOn, { server });
    const onTask = vi.fn();
    const outcome = stage.session.callAppTool('render', {}, { onTask });
    await until(() => expect(asked).toContain('get server-task'));
    expect(server.calls).toMatchObject([{ name: 'weather', task: { ttl: 5 }, caller: 'app' }]);
    expect(onTask).toHaveBeenCalledExactlyOnceWith({ taskId: 'server-task', ofServer: true });
    await stage.session.close();
    expect(stage.session.getSnapshot().status).toBe('closed');
    const before = asked.length;
    await until(() => expect(asked.length).toBeGreaterThan(before));
    end('completed');
    expect(await outcome).toEqual(done);
    expect(asked.at(-1)).toBe('result server-task');
    expect(asksOf(stage)).toEqual([]);
    const after = asked.length;
    await settle();
    expect(asked).toHaveLength(after);
  });

  test('ends with its app when the task is its own', async () => {
    const stage = await createOffer(long(), () => ({
      'tools/call': () => begun(toTask('own')),
      'tasks/get': () => toTask('own'),
    }));
    const outcome = stage.session.callAppTool('render', {}).catch((error: unknown) => error);
    await until(() => expect(asksOf(stage)).not.toEqual([]));
    await stage.session.close();
    expect(await outcome).toMatchObject({ code: 'session-closed' });
  });

  test('may name no task of the server that was not begun for it', async () => {
    const { server, asked } = createTaskServer();
    const stage = await createOffer(
      long(),
      () => ({
        'tools/call': () => begun(toTask('somebody-elses')),
        'tasks/get': () => toTask('somebody-elses', 'completed'),
        'tasks/result': () => done,
      }),
      { server },
    );
    await stage.session.callAppTool('render', {});
    expect([asked, asksOf(stage)]).toEqual([[], ['tasks/get', 'tasks/result']]);
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      expect(await stage.ask(method, method, { taskId: 'somebody-elses' })).toMatchObject({
        error: { code: -32602 },
      });
    }
    expect(asked).toEqual([]);
  });

  test.each([
    ['server', 'cancel server-task'],
    ['app', 'tasks/cancel'],
  ])('is called off at its %s when nobody waits for it any more', async (owner, cancelled) => {
    const { server, asked } = createTaskServer();
    const own: RequestHandlers = {
      'tools/call': () => begun(toTask('own')),
      'tasks/get': () => toTask('own'),
      'tasks/cancel': () => ({}),
    };
    const stage = await createOffer(long(), owner === 'app' ? () => own : handOn, { server });
    const controller = new AbortController();
    const outcome = stage.session
      .callAppTool('render', {}, { signal: controller.signal })
      .catch((error: unknown) => error);
    await until(() => expect([...asked, ...asksOf(stage)]).not.toEqual([]));
    controller.abort();
    expect(await outcome).toMatchObject({ code: 'cancelled' });
    await until(() => expect([...asked, ...asksOf(stage)]).toContain(cancelled));
  });

  test('is given up after its time', async () => {
    holdTime();
    const { server, asked } = createTaskServer();
    const stage = await createOffer(long(), handOn, { server, limits: { appTaskMs: 30 } });
    const outcome = stage.session.callAppTool('render', {}).catch((error: unknown) => error);
    await until(() => expect(server.calls).toHaveLength(1));
    await settle();
    await vi.advanceTimersByTimeAsync(29);
    expect(asked).not.toContain('cancel server-task');
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toMatchObject({ code: 'peer-timeout' });
    await until(() => expect(asked).toContain('cancel server-task'));
  });

  test('fails as its task does, and its outcome is checked like any', async () => {
    const { server, end } = createTaskServer();
    const stage = await createOffer(long({ outputSchema: { type: 'object' } }), handOn, { server });
    end('cancelled');
    await expect(stage.session.callAppTool('render', {})).rejects.toMatchObject({ code: 'cancelled' });
    end('failed', { ...done, isError: true });
    expect(await stage.session.callAppTool('render', {})).toEqual({ ...done, isError: true });
    end('completed');
    await expect(stage.session.callAppTool('render', {})).rejects.toMatchObject({ code: 'app-tool-invalid' });
  });

  test('is no task unless it says so, whatever it answers', async () => {
    for (const taskSupport of [undefined, 'forbidden'] as const) {
      const stage = await createOffer(long({ execution: taskSupport ? { taskSupport } : {} }), () => ({
        'tools/call': () => ({ ...begun(toTask('own')), ...done }),
      }));
      expect(await stage.session.callAppTool('render', {})).toEqual(done);
      expect(stage.received.find(({ method }) => method === 'tools/call')?.params).not.toHaveProperty('task');
      expect(asksOf(stage)).toEqual([]);
    }
  });

  test('that is done at once is done', async () => {
    const stage = await createOffer(long({ execution: { taskSupport: 'required' } }), () => ({
      'tools/call': () => done,
    }));
    expect(await stage.session.callAppTool('render', {})).toEqual(done);
  });
});

describe('a call of an app as a task', () => {
  test('reaches the server, and the app may follow what it began', async () => {
    const { server, asked, end } = createTaskServer();
    const stage = createStage({ server });
    await stage.ready();
    const { result } = await stage.ask('call', 'tools/call', { name: 'weather', task: {} });
    expect(result).toMatchObject({ task: { taskId: 'server-task', status: 'working' } });
    end('completed');
    const taskId = 'server-task';
    expect(await stage.ask('get', 'tasks/get', { taskId })).toMatchObject({
      result: { status: 'completed' },
    });
    expect(await stage.ask('result', 'tasks/result', { taskId })).toMatchObject({ result: done });
    expect(await stage.ask('cancel', 'tasks/cancel', { taskId })).toMatchObject({ result: {} });
    expect(asked).toEqual(['get server-task', 'result server-task', 'cancel server-task']);
  });

  test('is a call like any where the way to the server knows no tasks', async () => {
    const stage = createStage();
    await stage.ready();
    await stage.ask('call', 'tools/call', { name: 'weather', task: {} });
    expect(stage.server.calls).toHaveLength(1);
    expect(stage.server.calls[0]).not.toHaveProperty('task');
    expect(await stage.ask('get', 'tasks/get', { taskId: 'x' })).toMatchObject({ error: { code: -32601 } });
  });

  test('began without being asked to gives no right to its task', async () => {
    const { server, asked } = createTaskServer();
    const stage = createStage({ server });
    await stage.ready();
    await stage.ask('call', 'tools/call', { name: 'weather' });
    expect(await stage.ask('get', 'tasks/get', { taskId: 'server-task' })).toMatchObject({
      error: { code: -32602 },
    });
    expect(asked).toEqual([]);
  });
});
