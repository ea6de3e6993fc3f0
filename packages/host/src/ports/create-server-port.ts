import { CasementError, isRecord } from '@casement/protocol';
import type { ServerPort } from '../core/server-port.js';
import { createClientPort } from './client-port.js';
import { createGatewayEvents } from './gateway-events.js';
import type { GatewayEvents } from './gateway-events.js';
import { createGatewayLink } from './gateway-link.js';
import { createGatewayPort } from './gateway-port.js';
import { createHandlersPort } from './handlers-port.js';
import type { ClientSource, GatewaySource, HandlersSource } from './port-source.js';

// Browsers open few connections to one origin: all ports to one gateway share one stream.
const streams = new Map<string, GatewayEvents>();

const openGatewayPort = async ({ gateway, onFinding }: GatewaySource): Promise<ServerPort> => {
  const { url, token, server } = gateway;
  const link = createGatewayLink({ url, token });
  const key = JSON.stringify([url, token]);
  const events = streams.get(key) ?? createGatewayEvents(link);
  streams.set(key, events);
  const { servers } = (await link.get('/servers')).body;
  const summary: unknown = Array.isArray(servers)
    ? servers.find((entry) => isRecord(entry) && entry['name'] === server)
    : undefined;
  const { identity, capabilities } = isRecord(summary) ? summary : {};
  if (typeof identity !== 'string')
    throw new CasementError('server-unknown', `The gateway has no server "${server}".`, {
      hint: 'The names are those of the configuration the gateway was started with.',
    });
  return createGatewayPort(
    link,
    events,
    { name: server, identity, ...(isRecord(capabilities) && { capabilities }) },
    onFinding,
  );
};

/** Makes the host's way to a server of plain functions or of a connected official client. */
export function createServerPort(source: HandlersSource | ClientSource): ServerPort;
/** Makes the host's way to a server behind a Casement gateway, which is asked who the server is. */
export function createServerPort(source: GatewaySource): Promise<ServerPort>;
export function createServerPort(
  source: HandlersSource | ClientSource | GatewaySource,
): ServerPort | Promise<ServerPort> {
  if ('gateway' in source) return openGatewayPort(source);
  return 'client' in source ? createClientPort(source) : createHandlersPort(source);
}
