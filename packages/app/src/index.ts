export { App, type AppListener, type AppOptions } from './app.js';
export type {
  AppToolConfig,
  AppToolHandler,
  RegisteredAppTool,
  StandardOutcome,
  StandardSchema,
} from './app-tools.js';
export { Bridge } from './bridge.js';
export { ExtAppsAdapter, type ExtAppsAdapterInput } from './ext-apps-adapter.js';
export { AppError, appErrorCodes, type AppErrorCode } from './errors.js';
export {
  applyContainerDimensions,
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables,
  getDocumentTheme,
} from './host-styles.js';
export { createOpenAiTransport, type OpenAiGlobals } from './openai-transport.js';
export { createParentTransport, type ParentTransportOptions } from './parent-transport.js';
export { LATEST_PROTOCOL_VERSION } from './session.js';
export { createStandaloneTransport } from './standalone-transport.js';
export type * from './types.js';
export type { RequestContext } from './wire.js';
export type {
  Params,
  Progress,
  RequestId,
  RequestOptions,
  Transport,
  WireError,
  WireMessage,
} from './wire-types.js';
