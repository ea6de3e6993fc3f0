// An MCP server that floods: the tool `flood` writes one kind of line for some seconds, or so many of them, as fast as
// it is read, and answers other requests meanwhile. It counts what it wrote.
const line = (message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const answer = (id, result) => process.stdout.write(line({ id, result }));
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

/** One line of each kind; `at` numbers it. */
const kinds = {
  noise: () => 'x\n',
  'broken-json': () => '{"jsonrpc":\n',
  malformed: () => '{"a":1}\n',
  stray: (at) => line({ id: `nobody-${at}`, result: {} }),
  request: (at) => line({ id: `ask-${at}`, method: 'roots/list' }),
  log: (at) =>
    line({ method: 'notifications/message', params: { level: 'info', data: `line ${at} of the log` } }),
  'list-changed': () => line({ method: 'notifications/tools/list_changed' }),
  updated: (at) => line({ method: 'notifications/resources/updated', params: { uri: `file:///${at % 5}` } }),
  'bare-change': () => '{"method":"notifications/tools/list_changed"}\n',
  'bare-progress': (_at, token) =>
    `{"method":"notifications/progress","params":{"progressToken":${JSON.stringify(token)}}}\n`,
  progress: (at, token) =>
    line({ method: 'notifications/progress', params: { progressToken: token, progress: at } }),
  other: (at) => line({ method: 'notifications/of-my-own', params: { at } }),
  batch: () => `[${Array.from({ length: 100 }, () => '{"a":1}').join(',')}]\n`,
  blank: () => '\n',
  endless: () => 'y'.repeat(4096),
};

const flood = (kind, { seconds = Infinity, count = Infinity, stderr = false, token }) =>
  new Promise((resolve) => {
    const out = stderr ? process.stderr : process.stdout;
    const end = performance.now() + seconds * 1000;
    let written = 0;
    const write = () => {
      while (performance.now() < end && written < count) {
        let piece = '';
        for (let at = 0; at < 200 && written < count; at += 1) piece += kinds[kind]((written += 1), token);
        if (!out.write(piece)) return void out.once('drain', () => setImmediate(write));
      }
      if (kind === 'endless') out.write('\n');
      resolve(written);
    };
    write();
  });

const tools = [
  { name: 'flood', inputSchema: { type: 'object' } },
  { name: 'echo', inputSchema: { type: 'object' } },
];

const requests = {
  initialize: (id) =>
    answer(id, {
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
      serverInfo: { name: 'flood', version: '1.0.0' },
    }),
  'tools/list': (id) => answer(id, { tools }),
  'resources/subscribe': (id) => answer(id, {}),
  'tools/call': async (id, { name, arguments: args, _meta }) => {
    if (name === 'echo') return answer(id, text(args ?? {}));
    const written = await flood(args.kind, { ...args, token: _meta?.progressToken });
    answer(id, text({ written }));
  },
};

let buffered = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  buffered += chunk;
  const lines = buffered.split('\n');
  buffered = lines.pop();
  for (const one of lines.filter(Boolean)) {
    const { id, method, params } = JSON.parse(one);
    if (id === undefined || method === undefined) continue;
    if (requests[method]) void requests[method](id, params);
    else process.stdout.write(line({ id, error: { code: -32601, message: 'Method not found' } }));
  }
});
process.stdin.on('end', () => process.exit(0));
