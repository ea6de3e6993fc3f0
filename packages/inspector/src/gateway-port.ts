import type { ServerSummary } from '@casement/gateway';
import type { ServerEvent, ServerPort } from '@casement/host';
import type { GatewayClient } from './gateway-client.js';
import type { GatewayEvents } from './gateway-events.js';

/** Creates the host's way to one server, over the gateway's HTTP API and event stream. */
export const createGatewayPort = (
  client: GatewayClient,
  events: GatewayEvents,
  { name, identity }: Pick<ServerSummary, 'name' | 'identity'>,
): ServerPort => ({
  name,
  identity,
  listTools: () => client.tools(name),
  listResources: () => client.resources(name),
  callTool: async (params, { caller, signal, onProgress }) => {
    const callId = crypto.randomUUID();
    const stop = onProgress
      ? events.subscribe((event) => {
          if (event.type !== 'progress' || event.callId !== callId) return;
          const { progress, total, message } = event;
          onProgress({
            progress,
            ...(total === undefined ? {} : { total }),
            ...(message === undefined ? {} : { message }),
          });
        })
      : undefined;
    try {
      return await client.callTool(name, { ...params, caller, callId }, signal);
    } finally {
      stop?.();
    }
  },
  readResource: (params, { caller, signal }) => client.readResource(name, { ...params, caller }, signal),
  subscribe: (listener) =>
    events.subscribe((event) => {
      const told = toServerEvent(event, name);
      if (told) listener(told);
    }),
});

const toServerEvent = (
  event: Parameters<Parameters<GatewayEvents['subscribe']>[0]>[0],
  name: string,
): ServerEvent | undefined => {
  if (event.type === 'list-changed' && event.server === name && event.list !== 'prompts')
    return { type: event.list === 'tools' ? 'tools-changed' : 'resources-changed' };
  if (event.type !== 'server' || event.server.name !== name) return undefined;
  const { status, error } = event.server;
  return status === 'exited' || status === 'failed'
    ? { type: 'lost', reason: error?.message ?? `The server ${status === 'exited' ? 'ended' : 'failed'}.` }
    : undefined;
};
