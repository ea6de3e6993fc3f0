/*
 * What questions to the user need on both sides of them: what a call or a content block is, and where choices are kept.
 * No schema is reached from here, as from `basics`; a door of its own, since bundlers load what stands behind one together.
 */
export {
  createConsentStore,
  type ConsentChoice,
  type ConsentKey,
  type ConsentStorage,
  type ConsentStore,
} from './consent/consent-store.js';
export { readToolClaims, readToolEffect, toCallRule } from './consent/tool-call-policy.js';
export { toDigest, toToolDefinition } from './consent/tool-definition.js';
export { toKnownBlock } from './content/known-content.js';
export { toReadableJson } from './content/readable-json.js';
