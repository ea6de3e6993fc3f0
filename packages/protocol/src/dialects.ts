/* The names and shapes of older documents. A door of its own: hosts load it with the first message that needs it. */
export { createDialectDoor } from './dialects/door.js';
