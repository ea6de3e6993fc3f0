import type { ServerSummary } from '@casement/gateway';
import type { ServerEvent, ServerPort } from '@casement/host';
import { CasementError } from '@casement/protocol';
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
    const dropped = new AbortController();
    // The server is told why; dropping the request alone would end the call without a reason.
    const cancel = (): void => {
      const reason = typeof signal?.reason === 'string' ? signal.reason : 'The call was cancelled.';
      void client
        .cancelCall(name, callId, reason)
        .catch(() => undefined)
        .finally(() => dropped.abort());
    };
    if (signal?.aborted) throw new CasementError('cancelled', 'The call was cancelled.');
    signal?.addEventListener('abort', cancel, { once: true });
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
      return await client.callTool(name, { ...params, caller, callId }, dropped.signal);
    } finally {
      signal?.removeEventListener('abort', cancel);
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
