import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as InMemoryTransport1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ResourceListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';

/** The schema library the package is tested with. */
export * as z from 'zod';

export type Fields = Record<string, unknown>;

/** What a client of either generation sees of a server. */
interface Wire {
  readonly version: string | undefined;
  listTools(): Promise<Fields[]>;
  listResources(): Promise<Fields[]>;
  readResource(uri: string): Promise<Fields[]>;
  callTool(name: string, args?: Fields): Promise<Fields>;
  /** How often the client was told that the list of resources changed. */
  changes(): number;
}

/** A whole document, beyond ASCII. */
export const html = '<!doctype html><html><head><title>W</title></head><body>Wetter: äöü</body></html>';

/** A tool's answer in words. */
export const says = (text: string) => ({ content: [{ type: 'text' as const, text }] });

/** Metadata, only looked at by comparison. */
export const metaOf = (owner: Fields | undefined): Fields => owner?.['_meta'] as Fields;

type Build = (server: McpServer) => void;

const info = { name: 'test', version: '1' };
const uiExtension = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

// Results are looked at as the plain JSON they are.
const plain = <T>(value: unknown): T => JSON.parse(JSON.stringify(value)) as T;

const toWire = (client: Client | Client1, version: string | undefined, changes: () => number): Wire => ({
  version,
  listTools: async () => plain<{ tools: Fields[] }>(await client.listTools()).tools,
  listResources: async () => plain<{ resources: Fields[] }>(await client.listResources()).resources,
  readResource: async (uri) => plain<{ contents: Fields[] }>(await client.readResource({ uri })).contents,
  callTool: async (name, args = {}) => plain<Fields>(await client.callTool({ name, arguments: args })),
  changes,
});

const openSdk1 = async (build: Build, showsApps = true): Promise<Wire> => {
  const server = new McpServer1(info);
  // The same calls: what differs between the generations is typed in types.test.ts.
  build(server as unknown as McpServer);
  const client = new Client1(info, { capabilities: showsApps ? uiExtension : {} });
  let changes = 0;
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void (changes += 1));
  const [ours, theirs] = InMemoryTransport1.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  onTestFinished(() => client.close());
  return toWire(client, '1.x', () => changes);
};

const openSdk2 = async (build: Build, showsApps = true): Promise<Wire> => {
  const server = new McpServer(info);
  build(server);
  const client = new Client(info, { capabilities: showsApps ? uiExtension : {} });
  let changes = 0;
  client.setNotificationHandler('notifications/resources/list_changed', () => void (changes += 1));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  onTestFinished(() => client.close());
  return toWire(client, client.getNegotiatedProtocolVersion(), () => changes);
};

const openModern = async (build: Build, showsApps = true): Promise<Wire> => {
  const handler = createMcpHandler(() => {
    const server = new McpServer(info);
    build(server);
    return server;
  });
  const client = new Client(info, {
    capabilities: showsApps ? uiExtension : {},
    versionNegotiation: { mode: 'auto' },
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
      fetch: (url, init) => handler.fetch(new Request(url, init)),
    }),
  );
  onTestFinished(() => client.close());
  return toWire(client, client.getNegotiatedProtocolVersion(), () => 0);
};

/** Every generation a server may speak, with the official parts on both ends. */
export const generations = [
  { generation: 'SDK 1.x', open: openSdk1 },
  { generation: 'SDK 2.x, 2025-11-25', open: openSdk2 },
  { generation: 'SDK 2.x, 2026-07-28', open: openModern },
] as const;
