// An MCP server whose messages are as big and of such a shape as it is told: see big-shapes.mjs.
import { resultShapes, toolShapes } from './big-shapes.mjs';

const [toolShape, toolBytes] = (process.argv[2] ?? '').split('=');
const instructions = process.argv[3] === 'handshake' ? 'x'.repeat(2_000_000) : '';
const send = (message) => process.stdout.write(`{"jsonrpc":"2.0",${message}}\n`);
const answer = (id, json) => send(`"id":${JSON.stringify(id)},"result":${json}`);

const big = {
  result: (id, json) => answer(id, json),
  log: (id, json) => {
    send(`"method":"notifications/message","params":{"level":"info","data":${json}}`);
    answer(id, '{"content":[]}');
  },
  error: (id, json) =>
    send(`"id":${JSON.stringify(id)},"error":{"code":-32000,"message":"no","data":${json}}`),
  stray: (id, json) => {
    send(`"id":"nobody","result":${json}`);
    answer(id, '{"content":[]}');
  },
  envelope: (id, json) => {
    send(`"id":"nobody","result":{},${json.slice(1, -1)}`);
    answer(id, '{"content":[]}');
  },
  request: (id, json) => {
    send(`"id":"ask","method":"sampling/createMessage","params":{"a":${json}}`);
    answer(id, '{"content":[]}');
  },
};

const requests = {
  initialize: (id) =>
    answer(
      id,
      `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"resources":{}},"serverInfo":{"name":"big","version":"1.0.0"},"instructions":"${instructions}"}`,
    ),
  'tools/list': (id) =>
    answer(
      id,
      toolBytes === undefined
        ? '{"tools":[{"name":"big","inputSchema":{"type":"object"}},{"name":"take","inputSchema":{"type":"object"}}]}'
        : toolShapes[toolShape](Number(toolBytes)),
    ),
  'tools/call': (id, { name, arguments: args }) =>
    name === 'take'
      ? answer(id, '{"content":[]}')
      : big[args.as ?? 'result'](id, resultShapes[args.shape](args.bytes)),
  'resources/read': (id, { uri }) =>
    answer(id, `{"contents":[{"uri":"${uri}","blob":"${'A'.repeat(Number(uri.split('/').at(-1)))}"}]}`),
};

let parts = [];
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  parts.push(chunk);
  if (!chunk.includes('\n')) return;
  const lines = parts.join('').split('\n');
  parts = [lines.pop()];
  for (const one of lines.filter(Boolean)) {
    const { id, method, params } = JSON.parse(one);
    if (id === undefined || method === undefined) continue;
    if (requests[method]) requests[method](id, params);
    else send(`"id":${JSON.stringify(id)},"error":{"code":-32601,"message":"Method not found"}`);
  }
});
process.stdin.on('end', () => process.exit(0));
