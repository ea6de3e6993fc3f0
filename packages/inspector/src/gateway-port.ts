import type { ServerSummary } from '@casement/gateway';
import type { ServerPort } from '@casement/host';
import * as ports from '@casement/host/ports';
import type { GatewayClient } from './gateway-client.js';
import type { GatewayEvents } from './gateway-events.js';

/** Creates the host's way to one server of the page's gateway. */
export const createGatewayPort = (
  { link }: GatewayClient,
  events: GatewayEvents,
  summary: ServerSummary,
): ServerPort => ports.createGatewayPort(link, events, summary);
