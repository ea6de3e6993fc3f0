export { App, type AppOptions } from './app.js';
export type { AppToolConfig } from './app-tools.js';
export type { Bridge } from './bridge/bridge.js';
export { ExtAppsAdapter } from './bridge/ext-apps-adapter.js';
export { AppError, type AppErrorCode } from './session/errors.js';
export {
  applyContainerDimensions,
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables,
  getDocumentTheme,
} from './host-styles.js';
export { LATEST_PROTOCOL_VERSION } from './session/session.js';
export { createOpenAiTransport } from './transports/openai-transport.js';
export { createParentTransport } from './transports/parent-transport.js';
export { createStandaloneTransport } from './transports/standalone-transport.js';
export type {
  AppCapabilities,
  AppEvents,
  CallToolResult,
  ContentBlock,
  DisplayMode,
  HostCapabilities,
  HostContext,
  Implementation,
} from './session/types.js';
export type { RequestOptions, Transport } from './session/wire-types.js';
