/* Following a task to its end. A door of its own: few pages ever meet one. */
export { followTask } from './ports/follow-task.js';
