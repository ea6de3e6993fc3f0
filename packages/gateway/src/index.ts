export type { ChatEvent } from './chat/chat-format.js';
export type { ModelConfig, ModelSummary } from './chat/model-config.js';
export type { GatewayEvent } from './facts/gateway-event.js';
export type {
  DraftValue,
  EntryDraft,
  EntryInput,
  EntryProblem,
  EntryView,
  StoredItem,
  ValueView,
} from './facts/server-entry.js';
export { parseServerConfigs } from './facts/server-config.js';
export type { ServerConfig } from './facts/server-config.js';
export type { ServerSummary } from './facts/server-summary.js';
export { startGateway } from './gateway.js';
export type { GatewayOptions, RunningGateway } from './gateway.js';
export type { GatewayApi } from './http/api.js';
export { openUserStorage } from './stored.js';
