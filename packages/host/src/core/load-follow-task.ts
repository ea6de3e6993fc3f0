/** Loads what waits for a task; few pages ever meet one, so it is no part of what a page loads first. */
export const loadFollowTask = async () => (await import('./follow-task.js')).followTask;
