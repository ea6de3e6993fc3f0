// An MCP server over stdio whose ten kinds of tools each make one mistake that authors of MCP Apps really make.
import { createInterface } from 'node:readline';
import { generateBridgeIIFE } from '@casement/app/iife';
import { readGuest } from '../../fixtures/guest-files.mjs';

const appType = 'text/html;profile=mcp-app';
const toUri = (name) => `ui://mistakes/${name}.html`;
const linked = (name, more = {}) => ({ ui: { resourceUri: toUri(name), ...more } });

/** Each mistake: what the tool says, the app it shows, and what the resource says about that app. */
const mistakes = {
  'wrong-mime': { app: 'plain', mimeType: 'text/html' },
  'flat-key-only': { app: 'plain', toolMeta: { 'ui/resourceUri': toUri('flat-key-only') } },
  'missing-resource': {},
  'csp-on-the-tool': {
    app: 'fetches',
    toolMeta: linked('csp-on-the-tool', { csp: { connectDomains: ['https://api.example.com'] } }),
  },
  'undeclared-domain': { app: 'fetches', ui: { csp: { connectDomains: ['https://maps.example.com'] } } },
  'never-initialises': { app: 'never-initialises' },
  'calls-model-only-tool': { app: 'calls-model-only-tool' },
  'bare-host': { app: 'fetches', ui: { csp: { connectDomains: ['api.example.com'] } } },
  'eval-later': { app: 'eval-later' },
  'eval-before-initialize': { app: 'eval-before-initialize' },
  'throws-before-initialize': { app: 'throws-before-initialize' },
  'resize-loop': { app: 'resize-loop' },
  'jumping-size': { app: 'jumping-size' },
  'full-height': { app: 'full-height' },
  'handler-throws': { app: 'handler-throws' },
  'listens-late': { app: 'listens-late' },
  'ignores-theme-and-size': { app: 'ignores-theme-and-size' },
};

/** Addresses that no host reads, by the name of the tool that has one. */
const badAddresses = {
  'address-of-the-web': 'https://apps.example.com/app.html',
  'address-without-a-slash': 'ui:/mistakes/app.html',
  'address-as-a-number': 42,
  'address-empty': '',
  'address-with-controls': 'ui://a\u0007\u001b[2Jb',
  'address-turned-around': 'ui://a\u202elmth.ppa',
  'address-of-a-megabyte': `ui://${'x'.repeat(1_000_000)}`,
  'address-with-markup': '<img src=x onerror="document.title=\'hacked\'">',
};

const inputSchema = { type: 'object', properties: {} };

const tools = [
  ...Object.entries(mistakes).map(([name, { toolMeta = linked(name) }]) => ({
    name,
    description: `Makes the mistake ${name}.`,
    inputSchema,
    _meta: toolMeta,
  })),
  ...Object.entries(badAddresses).map(([name, resourceUri]) => ({
    name,
    description: `Names its app by an ${name}.`,
    inputSchema,
    _meta: { ui: { resourceUri } },
  })),
  {
    name: 'delete-everything',
    description: 'For the model alone.',
    inputSchema,
    _meta: { ui: { visibility: ['model'] } },
  },
];

const readResource = async (uri) => {
  const { app, mimeType = appType, ui } = mistakes[uri.replace(/^ui:\/\/mistakes\/|\.html$/g, '')] ?? {};
  if (app === undefined) throw Object.assign(new Error(`Resource ${uri} not found`), { code: -32002 });
  const html = await readGuest('../inspector/mistakes/apps', app, { leak: '' });
  const text = html.replace(
    '<script src="generated-bridge.js"></script>',
    () => `<script>${generateBridgeIIFE()}</script>`,
  );
  return { contents: [{ uri, mimeType, text, ...(ui ? { _meta: { ui } } : {}) }] };
};

const handlers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'mistakes', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: `text result of ${name}` }] }),
  'resources/list': () => ({ resources: [] }),
  'resources/read': ({ uri }) => readResource(uri),
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
