/**
 * What a port needs of an official MCP client: `@modelcontextprotocol/client` 2.x or the client of
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

/** What a port needs of the transport a client is connected with: its two ears. */
export interface OfficialTransport {
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
}

/** How a request is to be made, as both generations take it. */
export interface ClientRequestOptions {
  signal?: AbortSignal;
  onprogress?(progress: { progress: number; total?: number; message?: string }): void;
  timeout: number;
  resetTimeoutOnProgress: boolean;
  maxTotalTimeout: number;
}

/** A schema that takes everything, in the two forms asked for: answers are read by our own parsers. */
const anyResult = {
  '~standard': { version: 1, vendor: 'casement', validate: (value: unknown) => ({ value }) },
  parse: (value: unknown) => value,
  safeParse: (value: unknown) => ({ success: true, data: value }),
} as const;

/** Sends any request and gives the result as it came. */
export const requestAny = (
  client: OfficialClient,
  method: string,
  params: Record<string, unknown>,
  options: ClientRequestOptions,
): Promise<unknown> =>
  // The parameters' types are left open above; these are the shapes both generations read.
  client.request({ method, params } as never, anyResult as never, options as never);

/** Calls a tool of a server of revision 2026-07-28: only the client's own method mirrors arguments into headers. */
export const callModernTool = (
  client: OfficialClient,
  params: { name: string; arguments?: Record<string, unknown> },
  tool: object | undefined,
  options: ClientRequestOptions,
): Promise<unknown> => {
  // Without its output schema, which the client would compile: pages with a strict policy forbid that.
  const toolDefinition = {
    name: params.name,
    inputSchema: { type: 'object' },
    ...tool,
    outputSchema: undefined,
  };
  // As above: open parameter types.
  return client.callTool(params as never, { ...options, toolDefinition } as never);
};
