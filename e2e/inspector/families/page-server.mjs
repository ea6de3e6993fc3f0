// A server whose one tool answers with the address of a page, given as the first argument.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

serveStdio(() => {
  const server = new McpServer({ name: 'pages', version: '1.0.0' });
  server.registerTool('page', { description: 'Shows a page of another site' }, () => ({
    content: [
      {
        type: 'resource',
        resource: { uri: 'ui://pages/one', mimeType: 'text/uri-list', text: process.argv[2] },
      },
    ],
  }));
  return server;
});
