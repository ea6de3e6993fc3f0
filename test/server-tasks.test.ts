import { join } from 'node:path';
import { readTask } from '@casement/protocol/wire';
import type { ServerPort } from '@casement/protocol/ports';
import { openGatewayPort } from '@casement/protocol/ports';
import { describe, expect, test } from 'vitest';
import { api, portOf, start, stdio } from '../packages/gateway/src/gateway.test-support.js';

const fixture = join(import.meta.dirname, '../packages/gateway/test-fixtures/task-server.mjs');

const open = async (...flags: string[]) => {
  const gateway = await start({ servers: [stdio('slow-server', [], { args: [fixture, ...flags] })] });
  const url = `http://127.0.0.1:${portOf(gateway)}`;
  const port = await openGatewayPort({ url, token: gateway.token, server: 'slow-server' });
  return { gateway, port };
};

const app = { caller: 'app' } as const;
const call = { name: 'slow', arguments: { a: 1 } };

const begin = async ({ callTool }: ServerPort): Promise<string> => {
  const task = readTask(await callTool({ ...call, task: { ttl: 1000 } }, app));
  expect(task).toMatchObject({ status: 'working', pollInterval: 1 });
  return task?.taskId ?? '';
};

describe('tasks of a server behind the gateway', () => {
  test('are begun, looked at and fetched', async () => {
    const { port } = await open();
    const taskId = await begin(port);
    const states: unknown[] = [];
    for (let look = 0; look < 3; look += 1) states.push((await port.tasks?.get(taskId))?.status);
    expect(states).toEqual(['working', 'working', 'completed']);
    const params = { ...call, task: { ttl: 1000 } };
    expect(await port.tasks?.result(taskId)).toMatchObject({
      content: [{ type: 'text', text: JSON.stringify(params) }],
    });
  });

  test('are cancelled', async () => {
    const { port } = await open();
    const taskId = await begin(port);
    await port.tasks?.cancel(taskId);
    expect(await port.tasks?.get(taskId)).toMatchObject({ status: 'cancelled' });
  });

  test('that the server does not know fail with its own number', async () => {
    const { port } = await open();
    for (const ask of ['get', 'result', 'cancel'] as const) {
      await expect(port.tasks?.[ask]('nothing')).rejects.toMatchObject({ wire: { code: -32602 } });
    }
  });

  test('are not asked of a tool or a server that knows none', async () => {
    const { port, gateway } = await open();
    const plain = { content: [{ type: 'text', text: JSON.stringify({ name: 'quick' }) }] };
    expect(await port.callTool({ name: 'quick', task: {} }, app)).toEqual(plain);
    const without = await open('--no-tasks');
    expect(without.port.tasks).toBeUndefined();
    const answer = await without.port.callTool({ ...call, task: {} }, app);
    expect(answer).toEqual({ content: [{ type: 'text', text: JSON.stringify(call) }] });
    for (const body of [{}, { taskId: '' }, { taskId: 7 }, { taskId: 'x'.repeat(1025) }]) {
      expect(await api(gateway, '/servers/slow-server/tasks/get', body)).toMatchObject({ status: 400 });
    }
  });
});
