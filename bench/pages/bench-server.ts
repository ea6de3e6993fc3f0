import type { ServerPort } from '@casement/protocol/ports';
import type { CallToolResult, Tool } from '@casement/protocol';

// A server on this machine that has to look something up.
export const readMs = 20;
export const benchUri = 'ui://bench/guest';

/** The tool whose app is shown, and which that app calls. */
export const benchTool: Tool = {
  name: 'echo',
  inputSchema: { type: 'object' },
  _meta: { ui: { resourceUri: benchUri } },
};

/** What the tool always returns. */
export const echo: CallToolResult = { content: [{ type: 'text', text: 'echo' }] };

/** A server in the page itself: what is measured is the host, not a connection. */
export const createBenchServer = (html: string): ServerPort => ({
  name: 'bench',
  identity: 'bench',
  listTools: () => Promise.resolve([benchTool]),
  callTool: () => Promise.resolve(echo),
  async readResource() {
    await new Promise((resolve) => setTimeout(resolve, readMs));
    return { contents: [{ uri: benchUri, mimeType: 'text/html;profile=mcp-app', text: html }] };
  },
  listResources: () => Promise.resolve([]),
  subscribe: () => () => undefined,
});
