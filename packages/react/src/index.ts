export type { McpAppOptions } from './live-options.js';
export { McpApp } from './mcp-app.js';
export type { McpAppProps } from './mcp-app.js';
export { useMcpApp } from './use-mcp-app.js';
export type { McpAppState } from './use-mcp-app.js';
