import type { GatewayApi, GatewayEvent, ModelSummary, ServerSummary } from '@casement/gateway';
import type { GatewayEvents as EventsOf } from '@casement/protocol/ports';
import { createGatewayRequests, readGatewayResponse } from '@casement/protocol/ports';
import type { ClientResponse } from 'hono/client';
import { hc } from 'hono/client';

/** The page's own requests to the gateway, typed by its routes; what is for a server goes through the server's port. */
export type GatewayClient = ReturnType<typeof createGatewayClient>;

/** The gateway's events, one stream for the whole page. */
export type GatewayEvents = EventsOf<GatewayEvent>;

/** What the browser itself reported to the sandbox's server. */
export type CspReport = Extract<GatewayEvent, { type: 'csp-report' }>['report'];

/** Reads an answer's JSON; a lost gateway and an error answer both become a CasementError. */
const read = async <T>(request: Promise<ClientResponse<T>>): Promise<T> => {
  // The typed client's responses are plain ones at run time; its type leaves a few members out.
  const response = await readGatewayResponse(request as Promise<ClientResponse<T> & Response>);
  // The routes' union of bodies is narrowed to the successful one by then, which the types cannot see.
  return (await response.json()) as T;
};

/** Exchanges a code, or the key of this tab, for the token. */
export const requestAccess = (code: string): Promise<{ token: string; key: string }> =>
  read(hc<GatewayApi>(location.origin).api.access.$post({ json: { code } }));

/** Creates the typed client of the page's own gateway. */
export const createGatewayClient = (token: string) => {
  const { api } = hc<GatewayApi>(location.origin, { headers: { Authorization: `Bearer ${token}` } });
  return {
    /** What the servers' ports and the event stream send their requests through. */
    link: createGatewayRequests({ url: location.origin, token }),
    /** The gateway's address and token, for the models of the chat. */
    access: { url: location.origin, token },
    /** A code for another tab or name of this gateway, good for one use within seconds. */
    createCode: async (): Promise<string> => (await read(api.access.codes.$post({ json: {} }))).code,
    status: () => read(api.status.$get()),
    servers: async (): Promise<ServerSummary[]> => (await read(api.servers.$get())).servers,
    models: async (): Promise<readonly ModelSummary[]> => (await read(api.models.$get())).models,
    restart: (name: string) => read(api.servers[':name'].restart.$post({ param: { name }, json: {} })),
  };
};
