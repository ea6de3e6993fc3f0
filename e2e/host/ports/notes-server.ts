import type { CallProgress } from '@casement/protocol/ports';
import { Server } from '@modelcontextprotocol/server';
import type { Notes } from './notes.js';

/** An answer of the notes as the server's types want it; the notes speak MCP, unknown to the compiler. */
const given = (answer: unknown) => answer as never;

/** Puts the notes behind the official server. */
export const createNotesServer = (notes: Notes): Server => {
  const server = new Server(
    { name: 'notes', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true },
        prompts: {},
      },
    },
  );
  server.setRequestHandler('tools/list', () => given({ tools: notes.listTools() }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    const onProgress = (progress: CallProgress): void => {
      if (progressToken !== undefined)
        void mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...progress } });
    };
    return given(await notes.callTool(params, { caller: 'user', onProgress }));
  });
  server.setRequestHandler('resources/list', () => given({ resources: notes.listResources() }));
  server.setRequestHandler('resources/templates/list', () =>
    given({ resourceTemplates: notes.listResourceTemplates() }),
  );
  server.setRequestHandler('prompts/list', () => given({ prompts: notes.listPrompts() }));
  server.setRequestHandler('resources/read', ({ params }) =>
    given(notes.readResource(params, { caller: 'user' })),
  );
  server.setRequestHandler('resources/subscribe', ({ params }) => {
    notes.subscribeResource(params);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    notes.unsubscribeResource(params);
    return {};
  });
  notes.subscribe((event) => {
    if (event.type === 'resource-updated') void server.sendResourceUpdated({ uri: event.uri });
    if (event.type === 'tools-changed') void server.sendToolListChanged();
  });
  return server;
};
