export { App, type AppListener, type AppOptions } from './app.js';
export type {
  AppToolConfig,
  AppToolHandler,
  RegisteredAppTool,
  StandardOutcome,
  StandardSchema,
} from './app-tools.js';
export { AppError, appErrorCodes, type AppErrorCode } from './errors.js';
export {
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables,
  getDocumentTheme,
} from './host-styles.js';
export { createParentTransport, type ParentTransportOptions } from './parent-transport.js';
export { LATEST_PROTOCOL_VERSION } from './session.js';
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
