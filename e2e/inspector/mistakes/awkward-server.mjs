// An MCP server over stdio that behaves as its one argument, a JSON object, says: each test picks its own awkwardness.
import { createInterface } from 'node:readline';

const {
  info = { name: 'awkward', version: '1.0.0' },
  /** Lines for stdout before anything is read. */
  noise = [],
  /** Lines for stderr, one every 300 ms from the start. */
  log = [],
  /** How long it takes to read its first line. */
  startMs = 0,
  /** The code it exits with instead of reading anything. */
  exit,
  /** Speaks revision 2026-07-28. */
  modern = false,
  /** Never answers anything. */
  mute = false,
  /** Which entries stand in its lists beside the good ones. */
  lists = [],
  resources = [],
  templates = [],
  /** The address its tool names. */
  resourceUri,
} = JSON.parse(process.argv[2] ?? '{}');

const inputSchema = { type: 'object', properties: {} };
const MIME = 'text/html;profile=mcp-app';

/** Node itself cannot write so many levels, a careless generator can. */
const deepSchema = (levels) =>
  `${'{"type":"object","properties":{"a":'.repeat(levels)}{"type":"string"}${'}}'.repeat(levels)}`;

const absurd = {
  deep: () => ({ tools: [{ name: 'deep', inputSchema: '@deep@' }] }),
  long: () => ({ tools: [{ name: 'long', description: 'x'.repeat(4 * 1024 * 1024), inputSchema }] }),
  malformed: () => ({
    tools: [{ name: 42, inputSchema }, null, { name: 'no-schema' }],
    resources: [
      { uri: 7, name: 'bad' },
      { uri: 'ui://awkward/good.html', name: 'good', mimeType: MIME },
    ],
    prompts: [{ name: ['no'] }, { name: 'good-prompt' }],
  }),
};

const listed = (key) => lists.flatMap((name) => absurd[name]()[key] ?? []);

const tools = () => [
  {
    name: 'good',
    description: 'Works.',
    inputSchema,
    ...(resourceUri === undefined ? {} : { _meta: { ui: { resourceUri } } }),
  },
  { name: 'broken-answer', description: 'Answers with half a line of JSON.', inputSchema },
  ...listed('tools'),
];

const capabilities = { tools: {}, resources: {}, prompts: {} };

const handlers = {
  ...(modern
    ? {
        'server/discover': () => ({
          supportedVersions: ['2026-07-28'],
          capabilities,
          _meta: { 'io.modelcontextprotocol/serverInfo': info },
        }),
      }
    : { initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities, serverInfo: info }) }),
  ping: () => ({}),
  'tools/list': () => ({ tools: tools() }),
  'resources/list': () => ({ resources: [...resources, ...listed('resources')] }),
  'resources/templates/list': () => ({ resourceTemplates: templates }),
  'prompts/list': () => ({ prompts: listed('prompts') }),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: `result of ${name}` }] }),
};

const answer = ({ method, params = {} }) => {
  const more = modern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
  if (Object.hasOwn(handlers, method)) return { result: { ...more, ...handlers[method](params) } };
  if (method === 'resources/read')
    return { error: { code: -32002, message: `Resource ${params.uri} not found` } };
  return { error: { code: -32601, message: `Method not found: ${method}` } };
};

for (const line of noise) process.stdout.write(`${line}\n`);
log.forEach((line, index) => setTimeout(() => process.stderr.write(`${line}\n`), index * 300));
if (exit !== undefined) process.exit(exit);

setTimeout(() => {
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const message = JSON.parse(line);
      if (mute || message.id === undefined || message.method === undefined) return;
      const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer(message) }).replace(
        '"@deep@"',
        () => deepSchema(3000),
      );
      const isBroken = message.method === 'tools/call' && message.params.name === 'broken-answer';
      process.stdout.write(`${isBroken ? text.slice(0, -10) : text}\n`);
    })
    .on('close', () => process.exit(0));
}, startMs);
