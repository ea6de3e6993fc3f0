/*
 * The ways to an MCP server: over plain functions, over an official client, over the HTTP of a Casement gateway; and
 * what all who talk to servers share: the lists they page through, the two eras of the protocol, tasks, failures.
 */
export { createClientPort } from './client-port.js';
export { createGatewayEvents } from './gateway-events.js';
export type { GatewayEvents } from './gateway-events.js';
export { createGatewayRequests, readGatewayResponse } from './gateway-requests.js';
export { createGatewayPort, sizeOfResult } from './gateway-port.js';
export { createHandlersPort } from './handlers-port.js';
export type { ServerHandlers } from './handlers-port.js';
export { toStopFinding, walkPages } from './list-pages.js';
export { createClientRequests } from './official-client.js';
export type { OfficialClient } from './official-client.js';
export { openGatewayPort } from './open-gateway-port.js';
export { toSignInFailure } from './sign-in-failure.js';
export { toServerIdentity } from './server-identity.js';
export { serverLists } from './server-lists.js';
export type {
  CallProgress,
  Caller,
  PortFinding,
  ServerEvent,
  ServerPort,
  ServerTasks,
} from './server-port.js';
