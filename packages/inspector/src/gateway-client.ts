import type { GatewayApi, ServerSummary } from '@casement/gateway';
import type { Caller } from '@casement/host';
import type {
  CallToolResult,
  ErrorCode,
  ReadResourceResult,
  ResourceListing,
  Tool,
} from '@casement/protocol';
import { CasementError, errorCodes } from '@casement/protocol';
import type { ClientResponse } from 'hono/client';
import { hc } from 'hono/client';

/** What the page asks of the gateway; every answer is typed by the gateway's own routes. */
export type GatewayClient = ReturnType<typeof createGatewayClient>;

const isErrorCode = (value: unknown): value is ErrorCode =>
  // The list is a tuple of literals; membership is what is being asked.
  (errorCodes as readonly unknown[]).includes(value);

const toError = async (response: ClientResponse<unknown>): Promise<CasementError> => {
  const body: unknown = await response.json().catch(() => undefined);
  const error =
    typeof body === 'object' &&
    body !== null &&
    'error' in body &&
    typeof body.error === 'object' &&
    body.error
      ? // An unknown body is looked at field by field below.
        (body.error as Record<string, unknown>)
      : {};
  return new CasementError(
    isErrorCode(error.code) ? error.code : 'internal',
    typeof error.message === 'string' ? error.message : `The gateway answered ${response.status}.`,
    typeof error.hint === 'string' ? { hint: error.hint } : {},
  );
};

/** Sends a request and reads its JSON; a lost gateway and an error answer both become a CasementError. */
const read = async <T>(request: Promise<ClientResponse<T>>): Promise<T> => {
  let response: ClientResponse<T>;
  try {
    response = await request;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError')
      throw new CasementError('cancelled', 'The request was cancelled.', { cause });
    throw new CasementError('server-unreachable', 'The gateway cannot be reached.', {
      hint: 'See whether the casement command is still running.',
      cause,
    });
  }
  if (!response.ok) throw await toError(response);
  const body = await response.arrayBuffer();
  // The routes' union of bodies is narrowed to the successful one by the check above, which the types cannot see.
  const value = JSON.parse(new TextDecoder().decode(body)) as T;
  if (typeof value === 'object' && value !== null && 'result' in value)
    noteSize(value.result, body.byteLength);
  return value;
};

// Counted where the bytes are at hand: writing a large result out again only to measure it would stall the page.
const sizes = new WeakMap<object, number>();

const noteSize = (result: unknown, bytes: number): void => {
  if (typeof result === 'object' && result !== null) sizes.set(result, bytes);
};

/** How many bytes a result took on its way to the page, when it came through this client. */
export const sizeOfResult = (result: object): number | undefined => sizes.get(result);

/** Creates the typed client of the page's own gateway. */
export const createGatewayClient = (token: string) => {
  const { api } = hc<GatewayApi>(location.origin, { headers: { Authorization: `Bearer ${token}` } });
  const server = api.servers[':name'];
  return {
    status: () => read(api.status.$get()),
    servers: async (): Promise<ServerSummary[]> => (await read(api.servers.$get())).servers,
    restart: (name: string) => read(server.restart.$post({ param: { name }, json: {} })),
    tools: async (name: string): Promise<Tool[]> =>
      (await read(server.tools.$get({ param: { name } }))).tools,
    resources: async (name: string): Promise<ResourceListing[]> =>
      (await read(server.resources.$get({ param: { name } }))).resources,
    callTool: async (
      name: string,
      json: { name: string; arguments?: Record<string, unknown>; caller: Caller; callId: string },
      signal?: AbortSignal,
    ): Promise<CallToolResult> =>
      (await read(server.tools.call.$post({ param: { name }, json }, { init: toInit(signal) }))).result,
    cancelCall: (name: string, callId: string, reason: string) =>
      read(server.calls[':callId'].cancel.$post({ param: { name, callId }, json: { reason } })),
    readResource: async (
      name: string,
      json: { uri: string; caller: Caller },
      signal?: AbortSignal,
    ): Promise<ReadResourceResult> =>
      (await read(server.resources.read.$post({ param: { name }, json }, { init: toInit(signal) }))).result,
    events: async (signal: AbortSignal): Promise<ReadableStream<Uint8Array>> => {
      const response = await api.events.$get(undefined, { init: { signal } });
      if (!response.ok || !response.body) throw await toError(response);
      return response.body;
    },
  };
};

const toInit = (signal: AbortSignal | undefined): RequestInit => (signal ? { signal } : {});
