export { useApp } from './use-app.js';
export { useCallTool } from './use-call-tool.js';
export { useAutoResize, useDisplayMode, useHostContext, useTheme } from './use-host.js';
export { useToolInput, useToolResult, useToolStatus } from './use-tool-data.js';
