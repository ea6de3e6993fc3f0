/* The port over functions. A door of its own: pages whose servers are elsewhere do without it. */
export { createFunctionPort } from './ports/function-port.js';
