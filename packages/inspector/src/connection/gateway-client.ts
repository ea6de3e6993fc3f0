import type { GatewayApi, GatewayEvent, ModelSummary } from '@casement/gateway';
import { nextTask } from '@casement/protocol/basics';
import type { GatewayEvents as EventsOf } from '@casement/protocol/ports';
import { createGatewayRequests, readGatewayResponse } from '@casement/protocol/ports';
import type { ClientResponse, InferResponseType } from 'hono/client';
import { hc } from 'hono/client';

type GatewayRequests = ReturnType<typeof createGatewayRequests>;

/** The page's own requests to the gateway, typed by its routes; what is for a server goes through the server's port. */
export type GatewayClient = ReturnType<typeof createGatewayClient>;

/** The gateway's events, one stream for the whole page. */
export type GatewayEvents = EventsOf<GatewayEvent>;

/** What the browser itself reported to the sandbox's server. */
export type CspReport = Extract<GatewayEvent, { type: 'csp-report' }>['report'];

/** Reads the JSON of an answer of the typed client; a lost gateway and an error answer both become a CasementError. */
export const readAnswer = async <T>(request: Promise<ClientResponse<T>>): Promise<T> => {
  // The typed client's responses are plain ones at run time; its type leaves a few members out.
  const response = await readGatewayResponse(request as Promise<ClientResponse<T> & Response>);
  // The routes' union of bodies is narrowed to the successful one by then, which the types cannot see.
  return (await response.json()) as T;
};

type AccessRoutes = ReturnType<typeof hc<GatewayApi>>['api']['access'];

/** What a page is given for its code or key: the token, the key of its tab, and everything it begins with. */
export type Access = Required<InferResponseType<AccessRoutes['$post']>>;

/** Reads the answer to a request for access. */
export const readAccess = async (asked: Promise<Response>): Promise<Access> =>
  // The gateway answers what this request asked for, the start included.
  (await (await readGatewayResponse(asked)).json()) as Access;

/** Reads the code that was asked for in place of the token. */
export const readCode = async (asked: Promise<Response>): Promise<string> =>
  // As above.
  ((await (await readGatewayResponse(asked)).json()) as { code: string }).code;

/** Answers what the start brought already, each once, and opens the first event stream where the start ended. */
const withStart = (link: GatewayRequests, { tools, recorded }: Access['start']): GatewayRequests => {
  const known = new Map<string, { tools: unknown }>(
    tools.map((one) => [`/servers/${encodeURIComponent(one.server)}/tools`, { tools: one.tools }]),
  );
  let since: number | undefined = recorded;
  return {
    ...link,
    get: async (path, signal) => {
      const body = known.get(path);
      known.delete(path);
      return body ? { body, bytes: 0 } : link.get(path, signal);
    },
    events: async (stream, signal) => {
      // The first screen goes first; what is recorded meanwhile comes with the stream.
      if (since !== undefined) await nextTask();
      const body = await link.events(stream, signal, since);
      since = undefined;
      return body;
    },
  };
};

/** Creates the typed client of the page's own gateway. */
export const createGatewayClient = ({ token, start }: Access) => {
  const { api } = hc<GatewayApi>(location.origin, { headers: { Authorization: `Bearer ${token}` } });
  return {
    /** What the servers' ports and the event stream send their requests through. */
    link: withStart(createGatewayRequests({ url: location.origin, token }), start),
    /** The typed routes, for parts that are loaded late; an answer is read by `readAnswer`. */
    api,
    /** The gateway's address and token, for the models of the chat. */
    access: { url: location.origin, token },
    models: async (): Promise<readonly ModelSummary[]> => (await readAnswer(api.models.$get())).models,
    watch: (name: string, on: boolean) =>
      readAnswer(api.servers[':name'].watch.$post({ param: { name }, json: { on } })),
    restart: (name: string) => readAnswer(api.servers[':name'].restart.$post({ param: { name }, json: {} })),
    /** The configured servers: what each would run or send. */
    entries: () => readAnswer(api.entries.$get()),
    orderEntries: (names: string[]) => readAnswer(api.entries.order.$post({ json: { names } })),
  };
};
