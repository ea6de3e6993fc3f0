import type { GatewayApi, ModelSummary, ServerSummary } from '@casement/gateway';
import { createGatewayLink, readGatewayResponse } from '@casement/host/ports';
import type { ClientResponse } from 'hono/client';
import { hc } from 'hono/client';

export { sizeOfResult } from '@casement/host/ports';

/** What the page asks of the gateway besides what its servers' ports do; typed by the gateway's own routes. */
export type GatewayClient = ReturnType<typeof createGatewayClient>;

/** Reads an answer's JSON; a lost gateway and an error answer both become a CasementError. */
const read = async <T>(request: Promise<ClientResponse<T>>): Promise<T> => {
  // The typed client's responses are plain ones at run time; its type leaves a few members out.
  const response = await readGatewayResponse(request as Promise<ClientResponse<T> & Response>);
  // The routes' union of bodies is narrowed to the successful one by then, which the types cannot see.
  return (await response.json()) as T;
};

/** Hands in a code or the key of this tab for the token. */
export const requestAccess = (code: string): Promise<{ token: string; key: string }> =>
  read(hc<GatewayApi>(location.origin).api.access.$post({ json: { code } }));

/** Creates the typed client of the page's own gateway. */
export const createGatewayClient = (token: string) => {
  const { api } = hc<GatewayApi>(location.origin, { headers: { Authorization: `Bearer ${token}` } });
  return {
    /** Where the ports of the servers and the event stream go through. */
    link: createGatewayLink({ url: location.origin, token }),
    /** Where the gateway is and what it asks for; models are spoken to through it. */
    access: { url: location.origin, token },
    /** A code for another tab or name of this gateway, good for one use within seconds. */
    createCode: async (): Promise<string> => (await read(api.access.codes.$post({ json: {} }))).code,
    status: () => read(api.status.$get()),
    servers: async (): Promise<ServerSummary[]> => (await read(api.servers.$get())).servers,
    models: async (): Promise<readonly ModelSummary[]> => (await read(api.models.$get())).models,
    restart: (name: string) => read(api.servers[':name'].restart.$post({ param: { name }, json: {} })),
  };
};
