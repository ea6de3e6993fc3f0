export { CONTENT_HASH_META_KEY, ETAG_META_KEY } from './app-content.js';
export {
  EXTENSION_ID,
  getExtAppsMimeType,
  isExtAppsMimeType,
  OPENAI_MIME_TYPE,
  RESOURCE_MIME_TYPE,
  RESOURCE_URI_META_KEY,
} from './app-mime.js';
export { toClaudeDomain } from './app-domain.js';
export { AppServerError, appServerErrorCodes, type AppServerErrorCode } from './app-server-error.js';
export type { AppTemplate } from './app-template.js';
export type * from './app-ui.js';
export { toAppUri, type AppUriForm } from './app-uri.js';
export { registerAppResource, type AppResourceConfig } from './register-app-resource.js';
export { registerAppTool, type AppToolConfig } from './register-app-tool.js';
export * from './ext-apps/index.js';
export { getUiCapability, type UiCapability } from './ui-capability.js';
