import type { CallToolResult, Task } from '../messages/tool-schemas.js';
import { CasementError } from '../errors.js';
import type { ServerTasks } from './server-port.js';

/** How long a task is waited for. */
export interface TaskLimits {
  /** How long it may take. */
  readonly appTaskMs: number;
  /** The shortest time between two looks at it, whatever its owner suggests. */
  readonly taskPollMs: number;
}

const usualPollMs = 1000;
const longestPollMs = 30_000;

/** Looks at a task until it is over and returns its outcome; a task nobody waits for any more is cancelled. */
export const followTask = async (
  begun: Task,
  owner: ServerTasks,
  { appTaskMs, taskPollMs }: TaskLimits,
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
