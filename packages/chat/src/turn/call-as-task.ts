import type { CallToolResult } from '@casement/protocol';
import { readTask } from '@casement/protocol/wire';
import { followTask } from '@casement/protocol/tasks';
import type { ServerPort } from '@casement/protocol/ports';

const pollMs = 200;

/**
 * Calls a tool that its server runs as a task only, and waits for the outcome. Once nobody waits for it any more the
 * server is told to end the task; a call that is under way then is let be, as only its answer names the task.
 */
export const callAsTask = async (
  port: ServerPort,
  tasks: NonNullable<ServerPort['tasks']>,
  params: { readonly name: string; readonly arguments: Record<string, unknown> },
  { signal, taskMs }: { readonly signal: AbortSignal; readonly taskMs: number },
): Promise<CallToolResult> => {
  const answer = await port.callTool({ ...params, task: { ttl: taskMs } }, { caller: 'model' });
  const task = readTask(answer);
  if (!task) return answer;
  return followTask(task, tasks, { appTaskMs: taskMs, taskPollMs: pollMs }, signal);
};
