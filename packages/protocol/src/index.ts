export * from './app-messages.js';
export * from './blocked-eval.js';
export * from './capabilities.js';
export * from './consent-store.js';
export * from './constants.js';
export * from './content-schemas.js';
export { dialectAliases, type Dialect, type DialectAlias } from './dialects/aliases.js';
export * from './dialects/door.js';
export * from './display-modes.js';
export * from './errors.js';
export * from './family-messages.js';
export * from './host-context.js';
export { isRecord } from './is-record.js';
export * from './json-rpc.js';
export * from './memory-transport.js';
export type { AppFamily, MetadataFinding } from './metadata.js';
export * from './methods.js';
export { toKnownBlock } from './known-content.js';
export * from './model-content.js';
export {
  parseCallToolResult,
  parseHostContext,
  parsePrompt,
  parseReadResourceResult,
  parseResourceListing,
  parseResourceTemplate,
  parseTask,
  parseTool,
  readTask,
} from './parse-values.js';
export { parseRecording } from './parse-recording.js';
export * from './peer.js';
export type { RequestOptions } from './pending-requests.js';
export * from './printable.js';
export * from './recording.js';
export { toReadableJson } from './readable-json.js';
export { redact } from './redact.js';
export type { AppPermission, DeclaredCsp } from './resource-metadata.js';
export {
  readSamplingSettings,
  toKnownSampling,
  toSamplingBlocks,
  toSamplingText,
} from './sampling-content.js';
export * from './sandbox-messages.js';
export * from './style-variables.js';
export * from './tool-call-policy.js';
export * from './tool-callers.js';
export { toDigest, toToolDefinition } from './tool-definition.js';
export * from './tool-metadata.js';
export * from './tool-schemas.js';
export type { Transport } from './transport.js';
export * from './ui-type.js';
export * from './window-transport.js';
export * from './wire-errors.js';
