// A server without dependencies, to be copied into a folder and saved there: it shows VERSION and, from its folder, app.html.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const VERSION = 'one';
const folder = import.meta.dirname;
const uri = 'ui://saved/app';
const mimeType = 'text/html;profile=mcp-app';
// --early: as servers do that read their page once.
const early = process.argv.includes('--early') ? readFileSync(join(folder, 'app.html'), 'utf8') : undefined;

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: protocolVersion === '2025-06-18' ? protocolVersion : '2025-11-25',
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'saved', version: VERSION },
  }),
  'tools/list': () => ({
    tools: [
      {
        name: 'show',
        inputSchema: { type: 'object' },
        annotations: { readOnlyHint: !process.argv.includes('--acts') },
        _meta: { ui: { resourceUri: uri } },
      },
    ],
  }),
  'tools/call': () => ({ content: [{ type: 'text', text: VERSION }] }),
  'resources/list': () => ({ resources: [{ uri, name: 'app', mimeType }] }),
  'resources/read': () => ({
    contents: [{ uri, mimeType, text: early ?? readFileSync(join(folder, 'app.html'), 'utf8') }],
  }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = answers[method];
  if (id === undefined) continue;
  const reply = answer
    ? { result: answer(params) }
    : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
}
