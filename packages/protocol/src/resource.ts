/* What reads any app, and says what is odd about it: its tool, its media type, its HTML, the metadata of its resource. */
export { readAppHtml } from './metadata/app-html.js';
export { findNearest } from './metadata/find-nearest.js';
export { classifyAppMime, parseMime } from './metadata/mime.js';
export { appPermissions, readResourceUi } from './metadata/resource-metadata.js';
export { readToolUi } from './metadata/tool-metadata.js';
