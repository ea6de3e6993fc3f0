/* The half of the port over functions that answers apps. A door of its own: it is loaded with the first request. */
export { createFunctionAnswers } from './ports/function-answers.js';
