export type { ToolCallPolicy, ToolClaim } from './consent/tool-call-policy.js';
export { LEGACY_MCP_APP_MIME, UI_EXTENSION_ID } from './constants.js';
export { toModelImage, toModelText, type ModelImage } from './content/model-content.js';
export {
  readSamplingSettings,
  toKnownSampling,
  toSamplingBlocks,
  toSamplingText,
} from './content/sampling-content.js';
export type { DialectDoorOptions } from './dialects/door.js';
export type { ErrorCode, SessionStep } from './errors.js';
export type { AppEvidence, EvidenceLog, EvidenceMode, ShownValue } from './evidence.js';
export type { AppCapabilities, HostCapabilities, Implementation } from './messages/capabilities.js';
export {
  type ContentBlock,
  type ReadResourceResult,
  type ResourceContents,
  type ResourceListing,
} from './messages/content-schemas.js';
export type { DisplayMode, HostContext, Theme } from './messages/host-context.js';
export type { NotificationMethod, ParamsOf, RequestMethod, ResultOf } from './messages/methods.js';
export {
  isContentBlock,
  parseCallToolResult,
  parseReadResourceResult,
  parseResourceListing,
  parseTask,
  parseTool,
} from './messages/parse-values.js';
export type { StyleVariableName } from './messages/style-variables.js';
export type { CallToolResult, Task, Tool } from './messages/tool-schemas.js';
export type { AppFamily, MetadataFinding } from './metadata/metadata.js';
export type { AppPermission, DeclaredCsp } from './metadata/resource-metadata.js';
export { parseRecording, type RecordingEntry } from './recording/parse-recording.js';
export { mergeRecordings } from './recording/merge-recordings.js';
export type { Recording } from './recording/recording.js';
export { redact } from './recording/redact.js';
export type { JsonRpcId, JsonRpcMessage, WireError } from './wire/json-rpc.js';
export { createMemoryTransportPair } from './wire/memory-transport.js';
export type { Peer, PeerNotification, PeerOptions, RequestHandlers } from './wire/peer.js';
export type { RequestOptions } from './wire/pending-requests.js';
export type { Transport } from './wire/transport.js';
export { toWireError } from './wire/wire-errors.js';
