export { createServerPort } from './create-server-port.js';
export { readGatewayResponse, sizeOfResult } from './gateway-answer.js';
export { createGatewayEvents } from './gateway-events.js';
export type { GatewayEvents, LinkState, StreamHooks } from './gateway-events.js';
export { createGatewayLink } from './gateway-link.js';
export type { GatewayAnswer, GatewayLink } from './gateway-link.js';
export { createGatewayPort } from './gateway-port.js';
export type { GatewayServerSummary } from './gateway-port.js';
export type { OfficialClient, OfficialTransport } from './official-client.js';
export type {
  ClientSource,
  GatewaySource,
  HandlersSource,
  PortFinding,
  ServerHandlers,
} from './port-source.js';
export { toServerIdentity } from './server-identity.js';
