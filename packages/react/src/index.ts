'use client';

export { detectUIType, getUIResourceUri } from '@casement/protocol/basics';
export type { UIType } from '@casement/protocol';
export type { McpAppOptions } from './live-options.js';
export { McpAppRenderer } from './mcp-app-renderer.js';
export type { McpAppRendererProps } from './mcp-app-renderer.js';
export { McpApp } from './mcp-app.js';
export type { McpAppProps } from './mcp-app.js';
export { MCPAppsRenderer } from './mcp-apps-renderer.js';
export type { MCPAppsRendererProps, ToolState } from './mcp-apps-renderer.js';
export { McpHostProvider } from './mcp-host.js';
export type { McpHost } from './mcp-host.js';
export { SandboxedIframe } from './sandboxed-iframe.js';
export type { SandboxedIframeHandle, SandboxedIframeProps } from './sandboxed-iframe.js';
export { useMcpApp } from './use-mcp-app.js';
export type { McpAppState } from './use-mcp-app.js';
export { useSandboxBridge } from './use-sandbox-bridge.js';
export type { McpAppResource, SandboxBridgeOptions } from './use-sandbox-bridge.js';
