import { isRecord } from '../is-record.js';

/**
 * What is needed of an official MCP client: `@modelcontextprotocol/client` 2.x or the client of
 * `@modelcontextprotocol/sdk` 1.x. Described by shape, so that neither has to be installed; parameters are `never`
 * because each generation types them its own way and any client has to fit.
 */
export interface OfficialClient {
  readonly transport?: OfficialTransport | undefined;
  getServerCapabilities(): object | undefined;
  request(request: never, resultSchema: never, options?: never): Promise<unknown>;
  callTool(params: never, options?: never): Promise<unknown>;
  /** 2.x only. */
  getProtocolEra?(): string | undefined;
  /** 2.x only; for servers of revision 2026-07-28. */
  listen?(filter: never, options?: never): Promise<{ close(): Promise<void> }>;
}

/** What is needed of the transport a client is connected with: its two event handlers. */
export interface OfficialTransport {
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
}

/** How a request is to be made, as both generations take it. */
export interface ClientRequestOptions {
  signal?: AbortSignal | undefined;
  onprogress?: ((progress: { progress: number; total?: number; message?: string }) => void) | undefined;
  timeout?: number | undefined;
  resetTimeoutOnProgress?: boolean | undefined;
  maxTotalTimeout?: number | undefined;
}

/** Requests to a server of either era of the protocol; results are given as they came and have to be parsed. */
export interface ClientRequests {
  request(method: string, params: Record<string, unknown>, options: ClientRequestOptions): Promise<unknown>;
  /** `tool` is what the server lists under the name, if it is known. */
  callTool(
    params: { name: string; arguments?: Record<string, unknown>; task?: { ttl?: number } },
    tool: object | undefined,
    options: ClientRequestOptions,
  ): Promise<unknown>;
  /** Asks for the changes of one resource; returns the function that ends it. */
  followResource(
    uri: string,
    options: ClientRequestOptions,
  ): Promise<(options: ClientRequestOptions) => Promise<void>>;
  /** Asks for the changes of all lists, where a server of this era has to be asked; returns the function that ends it. */
  followLists(): () => void;
}

/** A schema that takes everything, in the two forms that clients ask for: answers are read by our own parsers. */
const anyResult = {
  '~standard': { version: 1, vendor: 'casement', validate: (value: unknown) => ({ value }) },
  parse: (value: unknown) => value,
  safeParse: (value: unknown) => ({ success: true, data: value }),
} as const;

/** Creates the requests to the server of a client. Revision 2026-07-28 and those before it differ here, and nowhere else. */
export const createClientRequests = (client: OfficialClient): ClientRequests => {
  const isModern = (): boolean => client.getProtocolEra?.() === 'modern';
  // The clients' parameter types are left open above; these are the shapes that both generations read.
  const request: ClientRequests['request'] = (method, params, options) =>
    client.request({ method, params } as never, anyResult as never, options as never);
  const listen = (filter: object, options?: ClientRequestOptions) =>
    client.listen?.(filter as never, options as never);

  return {
    request,
    callTool(params, tool, options) {
      if (!isModern()) return request('tools/call', { ...params }, options);
      // Without its output schema, which the client would compile: pages with a strict policy forbid that.
      const toolDefinition = {
        name: params.name,
        inputSchema: { type: 'object' },
        ...tool,
        outputSchema: undefined,
      };
      // Only the client's own method mirrors arguments into headers, as revision 2026-07-28 demands over HTTP.
      return client.callTool(params as never, { ...options, toolDefinition } as never);
    },
    async followResource(uri, options) {
      if (isModern()) {
        // This revision has no request for it: what is wanted is a stream of its own, closed to end it.
        const listening = await listen({ resourceSubscriptions: [uri] }, options);
        return async () => listening?.close();
      }
      await request('resources/subscribe', { uri }, options);
      return async (ending) => void (await request('resources/unsubscribe', { uri }, ending));
    },
    followLists() {
      if (!isModern()) return () => undefined;
      const filter = {
        ...(announces(client, 'tools') && { toolsListChanged: true }),
        ...(announces(client, 'resources') && { resourcesListChanged: true }),
        ...(announces(client, 'prompts') && { promptsListChanged: true }),
      };
      if (Object.keys(filter).length === 0) return () => undefined;
      const listening = listen(filter);
      // A server that advertises changes and refuses to tell them is heard no further; its lists are read on demand.
      listening?.catch(() => undefined);
      return () => {
        listening?.then((subscription) => subscription.close()).catch(() => undefined);
      };
    },
  };
};

/** Whether a server says that it tells changes of a list. */
const announces = (client: OfficialClient, list: string): boolean =>
  readOffer(client.getServerCapabilities(), [list, 'listChanged']) === true;

/** What a server offers at a path of its capabilities; undefined where it offers nothing. */
export const readOffer = (capabilities: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), capabilities);

/** Whether a server says that tools may be called as tasks. */
export const takesTasks = (capabilities: unknown): boolean =>
  isRecord(readOffer(capabilities, ['tasks', 'requests', 'tools', 'call']));
