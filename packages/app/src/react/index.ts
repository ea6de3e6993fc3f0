export { useApp, type UseAppOptions, type UseAppState } from './use-app.js';
export { useCallTool, type CallToolState } from './use-call-tool.js';
export {
  useAutoResize,
  useDisplayMode,
  useHostContext,
  useTheme,
  type DisplayModeState,
} from './use-host.js';
export { useToolInput, useToolResult, useToolStatus, type ToolStatus } from './use-tool-data.js';
