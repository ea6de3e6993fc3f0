import type { pollTask } from './poll-task.js';

/**
 * Looks at a task until it is over and returns its outcome; a task nobody waits for any more is cancelled. Few pages
 * ever meet a task: what looks at it is loaded with the first one.
 */
export const followTask: typeof pollTask = async (...task) =>
  (await import('./poll-task.js')).pollTask(...task);
