// An MCP server over stdio whose one tool shows the app in the file that is named on its command line.
import { registerAppTool } from '@casement/server';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const server = new McpServer({ name: 'templates', title: 'Templates', version: '1.0.0' });
registerAppTool(
  server,
  'show',
  {
    description: 'Shows the app.',
    ui: { resourceUri: 'ui://template/app.html', template: { file: process.argv[2] }, prefersBorder: true },
  },
  () => ({ content: [{ type: 'text', text: 'shown' }] }),
);
await server.connect(new StdioServerTransport());
