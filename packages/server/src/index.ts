export { toClaudeDomain } from './app-domain.js';
export {
  EXTENSION_ID,
  getExtAppsMimeType,
  isExtAppsMimeType,
  RESOURCE_MIME_TYPE,
  RESOURCE_URI_META_KEY,
} from './app-mime.js';
export { AppServerError } from './app-server-error.js';
export type { AppToolUi } from './app-ui.js';
// The errors of the message handler come from here as well as from ./ext-apps (S3-54).
export {
  ExtAppsError,
  ExtAppsInvalidParamsError,
  ExtAppsMethodNotFoundError,
  ExtAppsNotSupportedError,
  ExtAppsToolNotFoundError,
} from './ext-apps/ext-apps-errors.js';
export { registerAppResource } from './register-app-resource.js';
export { registerAppTool, type AppToolRegistration } from './register-app-tool.js';
export { getUiCapability } from './ui-capability.js';
