import { mountApp, type MountedApp } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import {
  createClientPort,
  createHandlersPort,
  type OfficialClient,
  openGatewayPort,
} from '@casement/protocol/ports';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { notesApp } from './notes-app.js';
import { createNotesServer } from './notes-server.js';
import { createNotes } from './notes.js';

/** A client of the official SDK's first generation, as far as a test needs it. */
type FirstClient = OfficialClient & { connect(transport: InMemoryTransport): Promise<void> };

/** How the server behind the app is reached. */
export type PortKind = 'handlers' | 'client 2.x' | 'client 1.x' | 'gateway';

declare global {
  var FirstClient: new (info: { name: string; version: string }) => FirstClient;
  var show: (kind: PortKind, place: { token: string; base: string }) => Promise<void>;
  var shown: { app: MountedApp; port: ServerPort; watched(): number };
}

const openPort = async (kind: PortKind, token: string) => {
  const notes = createNotes(notesApp);
  const watched = (): number => notes.watched.size;
  if (kind === 'gateway')
    return { watched, port: await openGatewayPort({ url: '', token, server: 'notes' }) };
  if (kind === 'handlers') return { watched, port: createHandlersPort({ handlers: notes, name: 'notes' }) };
  const info = { name: 'page', version: '1.0.0' };
  const client = kind === 'client 1.x' ? new globalThis.FirstClient(info) : new Client(info);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([createNotesServer(notes).connect(far), client.connect(near)]);
  return { watched, port: createClientPort({ client, name: 'notes' }) };
};

/** Shows the notes the way any embedder would: a port, the tool's call, the app. */
globalThis.show = async (kind, { token, base }) => {
  const { port, watched } = await openPort(kind, token);
  const tool = (await port.listTools()).find(({ name }) => name === 'show_note');
  const container = document.querySelector('main');
  if (!tool || !container) throw new Error('The page has no place or the server no tool.');
  const app = mountApp(container, { server: port, tool, toolInput: {}, sandbox: { base } });
  globalThis.shown = { app, port, watched };
  app.sendToolResult(await port.callTool({ name: tool.name, arguments: {} }, { caller: 'user' }));
};
