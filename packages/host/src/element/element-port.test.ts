import { describe, expect, test } from 'vitest';
import type { ServerPort } from '@casement/protocol/ports';
import { createElementPort } from './element-port.js';
import type { McpAppSettings } from './element-settings.js';
import { createFunctionPort } from '@casement/protocol/functions';
import { createHandlersPort } from '@casement/protocol/ports';

const names = { name: 'own', identity: 'own' };
const secret = 'connect ECONNREFUSED 10.0.0.7:5432 as admin';
const fail = (): never => {
  throw new Error(secret);
};
const toElementPort = (settings: Partial<McpAppSettings>): ServerPort =>
  // The port reads what it needs of the element; the rest is looks.
  createElementPort(new EventTarget(), settings as McpAppSettings, names);

const ports: Readonly<Record<string, ServerPort>> = {
  'mountApp, given createHandlersPort': createHandlersPort({
    ...names,
    handlers: { callTool: fail, readResource: fail },
  }),
  'React, given functions': createFunctionPort(names, { callTool: fail, readResource: fail }),
  'the element, given handlers': toElementPort({ on_tools_call: fail, on_resources_read: fail }),
};

describe.each(Object.entries(ports))('one port: %s', (_, port) => {
  test('an app never hears a handler’s error text', async () => {
    const app = { caller: 'app' } as const;
    for (const answer of [port.callTool({ name: 'x' }, app), port.readResource({ uri: 'ui://x' }, app)]) {
      const error: unknown = await answer.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'CasementError', cause: { message: secret } });
      expect(error).not.toHaveProperty('wire.message');
      expect(String(error)).not.toContain('ECONNREFUSED');
    }
  });
});

describe('one port: tasks', () => {
  const task = { taskId: 't1', status: 'working', createdAt: '2026-01-01T00:00:00Z', ttl: null };
  const tasks = {
    get: async () => task,
    result: async () => ({ content: [] }),
    cancel: async () => undefined,
  };

  test('are passed on by a port over functions, and by the element from its server', async () => {
    const byFunctions = createFunctionPort(names, { tasks });
    const server = createHandlersPort({ ...names, handlers: { tasks } });
    for (const port of [
      byFunctions,
      toElementPort({ server }),
      toElementPort({ server, on_tools_call: fail }),
    ]) {
      expect(await port.tasks?.get('t1')).toMatchObject({ taskId: 't1' });
      expect(await port.tasks?.result('t1')).toEqual({ content: [] });
      expect(await port.tasks?.cancel('t1')).toBeUndefined();
    }
  });

  test('are not offered by a server that has none', () => {
    expect(createFunctionPort(names, {}).tasks).toBeUndefined();
    expect(toElementPort({}).tasks).toBeUndefined();
  });
});
