import type { CallToolResult, Task, Tool } from '@casement/protocol';
import { parseCallToolResult, parseTask } from '@casement/protocol';
import type { Client } from '@modelcontextprotocol/client';
import { parseAnswer, parseInTurn, requestAny, type RunRequest } from './server-requests.js';

/** What can be asked about work that a server goes on with after it answered (HOST-104). */
export interface ServerTasks {
  get(taskId: string, signal?: AbortSignal): Promise<Task>;
  result(taskId: string, signal?: AbortSignal): Promise<CallToolResult>;
  cancel(taskId: string): Promise<void>;
}

/** Creates the way to the tasks of one server. */
export const createServerTasks = (server: string, run: RunRequest): ServerTasks => {
  const ask = (method: string, taskId: string, signal?: AbortSignal): Promise<Record<string, unknown>> =>
    run(method, signal === undefined ? {} : { signal }, (client, options) =>
      requestAny(client, method, { taskId }, options),
    );
  return {
    async get(taskId, signal) {
      const answer = await ask('tasks/get', taskId, signal);
      return parseAnswer(server, 'tasks/get', () => parseTask(answer));
    },
    async result(taskId, signal) {
      const answer = await ask('tasks/result', taskId, signal);
      return parseInTurn(server, 'tasks/result', () => parseCallToolResult(answer));
    },
    async cancel(taskId) {
      await ask('tasks/cancel', taskId);
    },
  };
};

/** Whether this tool may be called as a task: the server says so of itself, and of the tool. */
export const isTaskTool = (client: Client, { execution }: Tool): boolean =>
  client.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined &&
  (execution?.taskSupport === 'optional' || execution?.taskSupport === 'required');
