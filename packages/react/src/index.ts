export type { McpAppOptions } from './app/live-options.js';
export { McpApp } from './app/mcp-app.js';
export type { McpAppProps } from './app/mcp-app.js';
export { useMcpApp } from './app/use-mcp-app.js';
export type { McpAppState } from './app/use-mcp-app.js';
