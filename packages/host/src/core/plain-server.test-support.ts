import type { CallToolResult, ReadResourceResult, ResourceListing, Tool } from '@casement/protocol';
import type { CallProgress, Caller, ServerEvent, ServerPort } from '@casement/protocol/ports';

/** One call as the server saw it. */
interface SeenCall {
  readonly name: string;
  readonly arguments?: Record<string, unknown>;
  readonly caller: Caller;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CallProgress) => void;
}

/** A server made of plain functions, with a log of what reached it. */
export interface PlainServer extends ServerPort {
  readonly calls: SeenCall[];
  readonly reads: string[];
  tools: Tool[];
  listings: ResourceListing[];
  onCall(call: SeenCall): Promise<CallToolResult> | CallToolResult;
  onRead(uri: string): Promise<ReadResourceResult> | ReadResourceResult;
  emit(event: ServerEvent): void;
  readonly subscribers: number;
}

export const uiUri = 'ui://weather/dashboard';
export const html = '<!doctype html><title>Wetter für Köln ☀</title>';

export const uiTool: Tool = {
  name: 'weather',
  inputSchema: { type: 'object' },
  _meta: { ui: { resourceUri: uiUri } },
};

/** A tool with the given `_meta.ui.visibility`, whatever that is. */
export const toolWith = (name: string, visibility: unknown): Tool => ({
  name,
  inputSchema: { type: 'object' },
  _meta: { ui: { visibility } },
});

/** The answer to resources/read for an app without declared domains. */
export const appContents = (extra: Record<string, unknown> = {}): ReadResourceResult => ({
  contents: [{ uri: uiUri, mimeType: 'text/html;profile=mcp-app', text: html, ...extra }],
});

export const createPlainServer = (name = 'weather-server'): PlainServer => {
  const listeners = new Set<(event: ServerEvent) => void>();
  const server: PlainServer = {
    name,
    identity: 'c2FsdGVkLWhhc2g',
    calls: [],
    reads: [],
    tools: [uiTool],
    listings: [],
    onCall: () => ({ content: [{ type: 'text', text: 'done' }] }),
    onRead: () => appContents(),
    listTools: async () => server.tools,
    listResources: async () => server.listings,
    async callTool(params, options) {
      const call = { ...params, ...options };
      server.calls.push(call);
      return server.onCall(call);
    },
    async readResource({ uri }) {
      server.reads.push(uri);
      return server.onRead(uri);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit: (event) => [...listeners].forEach((listener) => listener(event)),
    get subscribers() {
      return listeners.size;
    },
  };
  return server;
};
