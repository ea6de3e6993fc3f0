import { parseCallToolResult, parseTask } from '../messages/parse-values.js';
import type { PortNames, ServerEvent, ServerPort } from './server-port.js';
import type { AnsweringHandlers, Awaitable } from './function-answers.js';
import { createFunctionAnswers, createRunHandler } from './function-answers.js';
import { createResourceSubscriptions } from './resource-subscriptions.js';
import { readIdentity } from './server-identity.js';
import { readItems, serverLists } from './server-lists.js';
import type { ListedItem, ListKind } from './server-lists.js';

/**
 * A server made of plain functions. Answers are the values of MCP and are parsed like those of any server; lists may
 * be given bare or as the result object of their method. What is left out, apps are not offered.
 */
export interface ServerHandlers extends AnsweringHandlers {
  listTools?(): Awaitable<unknown>;
  listResources?(): Awaitable<unknown>;
  listResourceTemplates?(): Awaitable<unknown>;
  listPrompts?(): Awaitable<unknown>;
  subscribeResource?(params: { uri: string }): Awaitable<unknown>;
  unsubscribeResource?(params: { uri: string }): Awaitable<unknown>;
  /** Needed for calls with a `task` to be passed on; each answers as the method of its name does. */
  readonly tasks?: {
    get(taskId: string, options: { readonly signal?: AbortSignal }): Awaitable<unknown>;
    result(taskId: string, options: { readonly signal?: AbortSignal }): Awaitable<unknown>;
    cancel(taskId: string): Awaitable<unknown>;
  };
  /** Called for each listener; what it passes on reaches the apps. */
  subscribe?(listener: (event: ServerEvent) => void): () => void;
}

/** A server reached through functions of the embedder, for instance requests to its own backend. */
export interface HandlersSource extends PortNames {
  readonly handlers: ServerHandlers;
}

/** Creates a port over plain functions, which may for instance ask the page's own backend. */
export const createHandlersPort = ({ handlers, name, identity, onFinding }: HandlersSource): ServerPort => {
  const run = createRunHandler(name);
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
    ...createFunctionAnswers(name, handlers, run),
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
