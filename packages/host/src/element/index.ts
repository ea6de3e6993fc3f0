export { buildHostContext as buildMcpHostContext } from '../dom/build-host-context.js';
export { defineMcpApp } from './define-mcp-app.js';
export type { McpAppEventMap } from './element-events.js';
export { McpAppElement } from './mcp-app-element.js';
