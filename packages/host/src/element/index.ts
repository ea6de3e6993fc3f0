export { buildHostContext as buildMcpHostContext } from '../dom/build-host-context.js';
export type { BuildHostContextOptions } from '../dom/build-host-context.js';
export { defineMcpApp } from './define-mcp-app.js';
export type { Answer, McpAppEventMap } from './element-events.js';
export type { ElementSandbox, McpAppPolicy, McpAppSettings, McpAppView } from './element-settings.js';
export { McpAppElement } from './mcp-app-element.js';
