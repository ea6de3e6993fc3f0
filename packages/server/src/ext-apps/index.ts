export {
  EXT_APPS_ERROR_CODES,
  ExtAppsError,
  ExtAppsInvalidParamsError,
  ExtAppsMethodNotFoundError,
  ExtAppsNotSupportedError,
  ExtAppsToolNotFoundError,
} from './ext-apps-errors.js';
export type {
  ExtAppsHandlerContext,
  ExtAppsHostCapabilities,
  ExtAppsHostNotifications,
  ExtAppsWidgetCapabilities,
} from './ext-apps-types.js';
export { createExtAppsMessageHandler, ExtAppsMessageHandler } from './message-handler.js';
