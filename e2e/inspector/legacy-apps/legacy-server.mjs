// An MCP server over stdio whose apps were written from older documents, each in that document's words.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const here = import.meta.dirname;
const today = 'text/html;profile=mcp-app';

const inputSchema = { type: 'object', properties: { location: { type: 'string' } } };

/** Tool, resource address, media type and file of each app; the link is the flat key of the first drafts. */
const apps = {
  weather_dashboard: { uri: 'ui://weather/dashboard', mimeType: 'text/html+mcp', file: 'weather' },
  mcp_app_methods: { uri: 'ui://legacy/methods', mimeType: today, file: 'mcp-app-methods' },
  first_draft: { uri: 'ui://legacy/first-draft', mimeType: today, file: 'first-draft' },
  goose: { uri: 'ui://legacy/goose', mimeType: today, file: 'goose' },
  frontmcp: { uri: 'ui://legacy/frontmcp', mimeType: today, file: 'frontmcp' },
  architecture_page: { uri: 'ui://legacy/architecture-page', mimeType: today, file: 'architecture-page' },
};

// A client that does not say it shows apps is offered plain tools.
let showsApps = false;

const tools = [
  ...Object.entries(apps).map(([name, { uri }]) => ({
    name,
    description: 'Interactive weather dashboard',
    inputSchema,
    _meta: { 'ui/resourceUri': uri },
  })),
  { name: 'forecast', inputSchema: { type: 'object', properties: { days: { type: 'number' } } } },
];

const callTool = ({ name, arguments: args = {} }) => {
  if (name === 'forecast') return { content: [{ type: 'text', text: `sunny for ${args.days} days` }] };
  if (!Object.hasOwn(apps, name)) throw Object.assign(new Error(`Tool ${name} not found`), { code: -32602 });
  return { content: [{ type: 'text', text: '72 °F' }], structuredContent: { temperature: 72 } };
};

const readResource = async ({ uri }) => {
  if (uri === 'ui://legacy/note') return { contents: [{ uri, mimeType: 'text/plain', text: 'a note' }] };
  const app = Object.values(apps).find((one) => one.uri === uri);
  if (!app) throw Object.assign(new Error(`Resource ${uri} not found`), { code: -32002 });
  const html = await readFile(join(here, 'apps', `${app.file}.html`), 'utf8');
  const client = await readFile(join(here, 'raw-client.html'), 'utf8');
  const text = html.replace('<!--raw-client-->', () => client);
  const _meta = { ui: { csp: { connectDomains: ['https://api.weather.com'] } } };
  return { contents: [{ uri, mimeType: app.mimeType, text, _meta }] };
};

const handlers = {
  initialize({ protocolVersion, capabilities }) {
    showsApps = capabilities.extensions?.['io.modelcontextprotocol/ui'] !== undefined;
    return {
      protocolVersion,
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'legacy', version: '1.0.0' },
    };
  },
  ping: () => ({}),
  'tools/list': () => ({ tools: tools.map(({ _meta, ...tool }) => (showsApps ? { ...tool, _meta } : tool)) }),
  'tools/call': callTool,
  'resources/list': () => ({ resources: [] }),
  'resources/read': readResource,
};

const answer = async ({ method, params = {} }) => {
  if (!Object.hasOwn(handlers, method))
    return { error: { code: -32601, message: `Method not found: ${method}` } };
  try {
    return { result: await handlers[method](params) };
  } catch ({ code = -32603, message }) {
    return { error: { code, message } };
  }
};

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const message = JSON.parse(line);
    if (message.id === undefined || message.method === undefined) return;
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...(await answer(message)) })}\n`,
    );
  })
  .on('close', () => process.exit(0));
