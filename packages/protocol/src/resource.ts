/* What a host needs to read an app: its media type, its HTML, the metadata of its resource. */
export { readAppHtml } from './metadata/app-html.js';
export { classifyAppMime, parseMime } from './metadata/mime.js';
export { appPermissions, readResourceUi } from './metadata/resource-metadata.js';
