import type { CallToolResult, Task } from '@casement/protocol';
import { CasementError } from '@casement/protocol/basics';
import type { RequestLimits } from './request-limits.js';
import type { ServerTasks } from './server-port.js';

const usualPollMs = 1000;
const longestPollMs = 30_000;

/** Looks at a task until it is over and returns its outcome; a task nobody waits for any more is cancelled. */
export const followTask = async (
  begun: Task,
  owner: ServerTasks,
  { appTaskMs, taskPollMs }: Pick<RequestLimits, 'appTaskMs' | 'taskPollMs'>,
  signal: AbortSignal,
): Promise<CallToolResult> => {
  const { taskId } = begun;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), appTaskMs);
  const life = AbortSignal.any([signal, late.signal]);
  let task = begun;
  try {
    // A task that waits for input is not given any; whoever began it may.
    while (task.status === 'working' || task.status === 'input_required') {
      const wished = task.pollInterval ?? usualPollMs;
      await pause(Math.min(Math.max(wished, taskPollMs), longestPollMs), life);
      task = await owner.get(taskId, { signal: life });
    }
    if (task.status === 'cancelled') throw new CasementError('cancelled', 'The task was cancelled.');
    // Of a failed one it is the error, or a result that says so.
    return await owner.result(taskId, { signal: life });
  } catch (error) {
    if (!life.aborted) throw error;
    void owner.cancel(taskId).catch(() => undefined);
    if (signal.aborted) throw error;
    throw new CasementError('peer-timeout', 'The task was not over in time.', {
      hint: 'Raise limits.appTaskMs for longer work.',
    });
  } finally {
    clearTimeout(timer);
  }
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      reject(new CasementError('cancelled', 'The task is no longer waited for.'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, ms);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });
