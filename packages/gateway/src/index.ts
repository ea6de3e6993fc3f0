export type { GatewayOptions, RunningGateway } from './gateway-options.js';
export type { CspReport, GatewayEvent, ServerList } from './gateway-event.js';
export type { HttpServerConfig, ServerConfig, StdioServerConfig } from './server-config.js';
export type { ReportedError, ServerStatus, ServerSummary } from './server-summary.js';
