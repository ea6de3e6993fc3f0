import type { GatewayEvent } from '@casement/gateway';
import * as ports from '@casement/host/ports';
import type { GatewayClient } from './gateway-client.js';

/** The gateway's events, one stream for the whole page. */
export type GatewayEvents = ports.GatewayEvents<GatewayEvent>;

/** Follows the event stream for the life of the page. */
export const createGatewayEvents = (
  { link }: GatewayClient,
  onLink: (state: ports.LinkState) => void,
): GatewayEvents => {
  const events = ports.createGatewayEvents<GatewayEvent>(link, onLink);
  // Never given back: the page itself listens from its first moment to its last.
  events.subscribe(() => undefined);
  return events;
};
