import { CasementError, parseCallToolResult, parseReadResourceResult, parseTask } from '@casement/protocol';
import type { ErrorCode } from '@casement/protocol';
import type { ServerPort } from '../core/server-port.js';
import { toPortFailure } from './port-failure.js';
import type { HandlersSource } from './port-source.js';
import { createResourceSubscriptions } from './resource-subscriptions.js';
import { readIdentity } from './server-identity.js';
import { readItems, serverLists } from './server-lists.js';
import type { ListedItem, ListKind } from './server-lists.js';

/** Creates a port over plain functions. */
export const createHandlersPort = ({ handlers, name, identity, onFinding }: HandlersSource): ServerPort => {
  const run = async <T>(
    method: string,
    task: () => T | PromiseLike<T>,
    otherwise: ErrorCode,
    signal?: AbortSignal,
  ): Promise<T> => {
    try {
      return await task();
    } catch (error) {
      throw toPortFailure(error, { server: name, method, signal }, otherwise);
    }
  };
  const list = async <K extends ListKind>(
    kind: K,
    handler: (() => unknown) | undefined,
  ): Promise<ListedItem<K>[]> => {
    if (handler === undefined) return [];
    const { method } = serverLists[kind];
    return readItems(kind, await run(method, () => handler.call(handlers), 'peer-error'), onFinding);
  };
  const subscriptions = createResourceSubscriptions({
    open: async (uri) => {
      await run('resources/subscribe', () => handlers.subscribeResource?.({ uri }), 'peer-error');
    },
    close: async (uri) => {
      await run('resources/unsubscribe', () => handlers.unsubscribeResource?.({ uri }), 'peer-error');
    },
  });

  const { tasks } = handlers;

  return {
    name,
    identity: readIdentity(identity),
    listTools: () => list('tools', handlers.listTools),
    async callTool(params, options) {
      const { signal } = options;
      if (handlers.callTool === undefined)
        throw new CasementError('tool-not-found', `The server "${name}" runs no tools.`);
      const call = handlers.callTool.bind(handlers, params, options);
      return parseCallToolResult(await run('tools/call', call, 'tool-failed', signal));
    },
    async readResource(params, options) {
      const { signal } = options;
      if (handlers.readResource === undefined)
        throw new CasementError('resource-missing', `The server "${name}" has no resources.`);
      const read = handlers.readResource.bind(handlers, params, options);
      return parseReadResourceResult(await run('resources/read', read, 'resource-missing', signal));
    },
    listResources: () => list('resources', handlers.listResources),
    ...(handlers.listResourceTemplates && {
      listResourceTemplates: () => list('templates', handlers.listResourceTemplates),
    }),
    ...(handlers.listPrompts && { listPrompts: () => list('prompts', handlers.listPrompts) }),
    ...(handlers.subscribeResource && {
      subscribeResource: ({ uri }) => subscriptions.add(uri),
      unsubscribeResource: ({ uri }) => subscriptions.remove(uri),
    }),
    ...(tasks && {
      tasks: {
        get: async (taskId, { signal } = {}) =>
          parseTask(
            await run('tasks/get', () => tasks.get(taskId, signal ? { signal } : {}), 'peer-error', signal),
          ),
        result: async (taskId, { signal } = {}) =>
          parseCallToolResult(
            await run(
              'tasks/result',
              () => tasks.result(taskId, signal ? { signal } : {}),
              'tool-failed',
              signal,
            ),
          ),
        cancel: async (taskId) => void (await run('tasks/cancel', () => tasks.cancel(taskId), 'peer-error')),
      },
    }),
    subscribe: (listener) => handlers.subscribe?.(listener) ?? (() => undefined),
  };
};
