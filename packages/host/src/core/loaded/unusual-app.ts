/*
 * Loaded on demand, before there is a frame, for the apps that are not plain: what reads metadata that is not as the
 * specification has it, judges the domains an app declares, and takes a UI out of a result. Most of these apps need more
 * than one of them, so they are one file.
 */
export {
  createDeclaredPolicy,
  toOpaqueBase,
  toOpaquePlace,
  toStorageIdentity,
} from '../frame/unusual-frame.js';
export { readEmbeddedResource, readEmbeddedUri } from '../load/embedded-resource.js';
export { readResource, readResourceUi, readToolUi } from '../load/odd-metadata.js';
