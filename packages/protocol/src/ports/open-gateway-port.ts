import { CasementError } from '../errors.js';
import { isRecord } from '../is-record.js';
import { createGatewayEvents, type GatewayEvents } from './gateway-events.js';
import { createGatewayRequests } from './gateway-requests.js';
import { createGatewayPort } from './gateway-port.js';
import type { PortFinding, ServerPort } from './server-port.js';

/** A server that a Casement gateway is connected to; its identity is the gateway's. */
interface GatewaySource {
  /** The gateway's origin; empty for the page's own. */
  readonly url: string;
  readonly token: string;
  /** The server's name there. */
  readonly server: string;
  onFinding?(finding: PortFinding): void;
}

// Browsers open few connections to one origin: all ports to one gateway share one stream.
const streams = new Map<string, GatewayEvents>();

/** Creates a port to a server behind a Casement gateway, which is asked who the server is. */
export const openGatewayPort = async ({
  url,
  token,
  server,
  onFinding,
}: GatewaySource): Promise<ServerPort> => {
  const link = createGatewayRequests({ url, token });
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
