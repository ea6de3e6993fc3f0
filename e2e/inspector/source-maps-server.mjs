// An MCP server over stdio for a folder of built apps: a tool for each HTML file, and each source map as a resource.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { registerAppTool } from '@casement/server';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const [, , folder, ...connectDomains] = process.argv;
const server = new McpServer({ name: 'maps', title: 'Maps', version: '1.0.0' });
const files = readdirSync(folder);

for (const file of files.filter((name) => name.endsWith('.html')))
  registerAppTool(
    server,
    file.replace('.html', ''),
    {
      description: `Shows ${file}.`,
      ui: {
        resourceUri: `ui://maps/${file}`,
        template: { file: join(folder, file) },
        csp: { connectDomains },
      },
    },
    () => ({ content: [{ type: 'text', text: 'shown' }] }),
  );
for (const file of files.filter((name) => name.endsWith('.map')))
  server.registerResource(file, `ui://maps/${file}`, { mimeType: 'application/json' }, () => {
    // One that nobody should have to read to its end.
    const text = file.startsWith('huge') ? `{"x":"${'x'.repeat(50 * 1024 * 1024)}"}` : undefined;
    return {
      contents: [{ uri: `ui://maps/${file}`, text: text ?? readFileSync(join(folder, file), 'utf8') }],
    };
  });

await server.connect(new StdioServerTransport());
