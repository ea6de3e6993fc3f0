/*
 * What questions to the user need on both sides of them: what a call or a content block is, and where choices are kept.
 * No schema is reached from here, as from `basics`; a door of its own, since bundlers load what stands behind one together.
 */
export * from './consent-store.js';
export { toKnownBlock } from './known-content.js';
export { toModelImage, toModelText } from './model-content.js';
export { toReadableJson } from './readable-json.js';
export * from './tool-call-policy.js';
export { toDigest, toToolDefinition } from './tool-definition.js';
