import { allow, refuse, toDeliverableResult } from '../loaded/loaded.js';
import type { RequestHandlers } from '@casement/protocol';
import type { HandlerContext } from './handler-context.js';
import type { ServerAccess } from '../server/server-access.js';
import type { ServerTaskIds } from '../server/server-task-ids.js';

type TaskHandlers = Pick<RequestHandlers, 'tasks/get' | 'tasks/result' | 'tasks/cancel'>;

/** Lets an app follow the tasks its calls began; where the port knows no tasks, there are no such requests. */
export const createServerTasks = (
  context: HandlerContext,
  ids: ServerTaskIds,
  serverAccess: ServerAccess,
): TaskHandlers => {
  const { tasks } = context.options.server;
  if (!tasks) return {};
  const judge = (method: string, taskId: string): void =>
    context.enforce(
      method,
      ids.has(taskId)
        ? allow('A task of this app.')
        : refuse('invalid-params', 'No call of this app began such a task.', 'Name a task of an own call.'),
    );
  return {
    'tasks/get': ({ taskId }, request) => {
      judge('tasks/get', taskId);
      return serverAccess(request.signal, 'server-unreachable', (signal) => tasks.get(taskId, { signal }));
    },
    'tasks/result': ({ taskId }, request) => {
      judge('tasks/result', taskId);
      return serverAccess(request.signal, 'tool-failed', async (signal) =>
        toDeliverableResult(await tasks.result(taskId, { signal }), context.recorder),
      );
    },
    'tasks/cancel': async ({ taskId }, { signal }) => {
      judge('tasks/cancel', taskId);
      await serverAccess(signal, 'server-unreachable', () => tasks.cancel(taskId));
      return {};
    },
  };
};
