export type { MCPAppsRendererProps } from './known-app.js';
export { McpAppRenderer } from './mcp-app-renderer.js';
export type { McpAppRendererProps } from './mcp-app-renderer.js';
export { MCPAppsRenderer } from './mcp-apps-renderer.js';
export { McpHostProvider } from './mcp-host.js';
export type { McpHost } from './mcp-host.js';
export type { SandboxedIframeHandle, SandboxedIframeProps } from './sandboxed-frame.js';
export { SandboxedIframe } from './sandboxed-iframe.js';
export { useSandboxBridge } from './use-sandbox-bridge.js';
