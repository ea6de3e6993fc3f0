export type { ChatEvent } from './chat/chat-event.js';
export type { ModelConfig, ModelKind, ModelSummary } from './chat/model-config.js';
export { startGateway } from './gateway.js';
export type { GatewayOptions, RunningGateway } from './gateway-options.js';
export type { GatewayEvent, ServerList } from './gateway-event.js';
export type { GatewayApi } from './page-app.js';
export { parseServerConfigs } from './server-config.js';
export type { HttpServerConfig, ServerConfig, StdioServerConfig } from './server-config.js';
export type { ReportedError, ServerStatus, ServerSummary } from './server-summary.js';
