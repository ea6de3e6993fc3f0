// A small MCP server in raw JSON-RPC lines. It misbehaves on request: every flag and tool below is one way.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';

const flags = new Set(process.argv.slice(2));
const option = (name) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1];
const modern = flags.has('--modern');
const era = option('era') ?? '2025-11-25';
const pages = option('pages');
const watched = new Map();
const seen = { initialize: null, requests: [], notifications: [], cancelled: [], calls: [] };
let flipped = false;

const log = option('log');
const note = (text) => log && appendFileSync(log, `${text}\n`);
note(`start ${process.pid}`);
if (option('exit-at-start')) {
  process.stderr.write('\u001b[31mcannot find my database\u001b[0m \u202Etxt\n');
  process.exit(Number(option('exit-at-start')));
}
if (flags.has('--ignore-term')) process.on('SIGTERM', () => undefined);

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const answer = (id, result) =>
  write({
    id,
    result: modern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result } : result,
  });
const fail = (id, code, message) => write({ id, error: { code, message } });
const text = (value) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});
const tool = (name, ui, extra = {}) => ({
  name,
  inputSchema: { type: 'object' },
  ...(ui && { _meta: { ui } }),
  ...extra,
});
const serverInfo = { name: option('name') ?? 'fixture', version: '1.2.3' };
const capabilities = flags.has('--no-list-changed')
  ? { tools: {}, resources: {}, prompts: {} }
  : {
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
    };

const tools = () => [
  tool('echo'),
  tool('seen'),
  tool('environment'),
  tool('hang'),
  tool('crash'),
  tool('broken_line'),
  tool('wrong_shape'),
  tool('wrong_envelope'),
  tool('big'),
  tool('big_id_first'),
  tool('noise'),
  tool('refuse'),
  tool('progress'),
  tool('family'),
  tool('flip'),
  tool('flip_silently'),
  tool('burst'),
  tool('complain'),
  tool('ask_client'),
  tool('touch'),
  tool('proto'),
  tool('model_only', { visibility: ['model'] }),
  tool('app_only', { visibility: flipped ? ['model'] : ['app'] }),
  tool('nobody', { visibility: [] }),
  tool('odd_app', { visibility: ['app', 'x'] }),
  tool('echo', { visibility: ['model'] }, { title: 'second of that name' }),
  // The client refuses a whole list of the new revision for one bad entry; of an older one, only the entry.
  ...(modern ? [] : [{ title: 'no name at all' }]),
];

const blob = (size) => 'x'.repeat(size);
const FIFTY_MB = 50 * 1024 * 1024;

const calls = {
  echo: (id, args) => answer(id, text(args)),
  seen: (id) => answer(id, text(seen)),
  environment: (id) => answer(id, text(process.env)),
  hang: () => undefined,
  crash: () => {
    process.stderr.write('about to crash\n');
    process.exit(3);
  },
  broken_line: () => process.stdout.write('{"jsonrpc":"2.0","id":\n'),
  wrong_shape: (id) => answer(id, { content: 'not a list' }),
  wrong_envelope: (id) => write({ id, result: 'just text' }),
  // The official server SDK writes the id last.
  big: (id) =>
    process.stdout.write(
      `{"result":{"content":[{"type":"text","text":"${blob(FIFTY_MB)}"}]},"jsonrpc":"2.0","id":${id}}\n`,
    ),
  big_id_first: (id) => answer(id, text(blob(FIFTY_MB))),
  noise: (id) => {
    process.stdout.write('\u001b[32mlistening on port 1234\u001b[0m\n\u0000\u0000\n');
    answer(id, text('after the noise'));
  },
  refuse: (id) => fail(id, -32602, 'city is required'),
  progress: (id, _args, meta) => {
    for (const progress of [1, 2, 3]) {
      write({
        method: 'notifications/progress',
        params: { progressToken: meta?.progressToken, progress, total: 3 },
      });
    }
    answer(id, text('done'));
  },
  family: (id) => {
    const script =
      "require('node:child_process').spawn(process.execPath,['-e','setInterval(()=>{},1000)'],{stdio:'ignore'});setInterval(()=>{},1000);process.on('SIGTERM',()=>{})";
    const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
    setTimeout(() => answer(id, text({ self: process.pid, child: child.pid })), 300);
  },
  flip: (id) => {
    flipped = true;
    write({ method: 'notifications/tools/list_changed' });
    answer(id, text('flipped'));
  },
  flip_silently: (id) => {
    flipped = true;
    answer(id, text('flipped'));
  },
  burst: (id) => {
    for (let count = 0; count < 2000; count += 1) write({ method: 'notifications/tools/list_changed' });
    answer(id, text('burst sent'));
  },
  complain: (id) => {
    process.stderr.write(`\u001b[31mred\u001b[0m and \u202Ebackwards\n${'line\n'.repeat(5000)}last words\n`);
    setTimeout(() => answer(id, text('complained')), 50);
  },
  ask_client: (id) => {
    write({ id: 'from-server', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
    waiting.set('from-server', (reply) => answer(id, text(reply)));
  },
  // Tells of a change whether anybody asked or not, as a careless server does.
  touch: (id, { uri }) => {
    const subscription = watched.get(uri);
    write({
      method: 'notifications/resources/updated',
      params: {
        uri,
        ...(modern && { _meta: { 'io.modelcontextprotocol/subscriptionId': subscription } }),
      },
    });
    answer(id, text([...watched.keys()]));
  },
  proto: (id) =>
    process.stdout.write(
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"__proto__":{"polluted":1},"structuredContent":{"constructor":{"prototype":{"polluted":1}}}}}\n`,
    ),
  model_only: (id) => answer(id, text('model')),
  app_only: (id) => answer(id, text(`app tool of ${serverInfo.name}`)),
  nobody: (id) => answer(id, text('nobody')),
  odd_app: (id) => answer(id, text('odd')),
};
const waiting = new Map();

const resources = {
  'ui://fixture/app': (id) =>
    answer(id, {
      contents: [
        {
          uri: 'ui://fixture/app',
          mimeType: 'text/html;profile=mcp-app',
          text: '<!doctype html><title>Hi</title>',
        },
      ],
    }),
  'ui://fixture/huge': (id) =>
    answer(id, {
      contents: [{ uri: 'ui://fixture/huge', mimeType: 'text/html;profile=mcp-app', text: blob(FIFTY_MB) }],
    }),
  'ui://fixture/wrong': (id) => answer(id, { contents: 'nope' }),
};

const listTools = (id, params) => {
  note('list');
  const held = option('list-when');
  // As a server that looks its tools up elsewhere: they come once this file is there.
  if (held !== undefined && !existsSync(held)) return setTimeout(() => listLater(id, params), 20);
  return answerTools(id, params);
};
const listLater = (id, params) =>
  existsSync(option('list-when')) ? answerTools(id, params) : setTimeout(() => listLater(id, params), 20);

const answerTools = (id, params) => {
  if (pages === undefined) return answer(id, { tools: tools() });
  const page = Number(params?.cursor ?? 0);
  seen.requests.push(`page ${page}`);
  const one = { tools: [tool(`page_${page}_${seen.requests.length}`)] };
  if (pages === 'endless') return answer(id, { ...one, nextCursor: String(page + 1) });
  if (pages === 'wide') {
    one.tools[0].description = 'x'.repeat(200_000);
    return answer(id, { ...one, nextCursor: String(page + 1) });
  }
  if (pages === 'repeat') return answer(id, { ...one, nextCursor: 'same' });
  if (pages === 'huge') {
    return answer(id, { tools: Array.from({ length: 6000 }, (_, index) => tool(`t${index}`)) });
  }
  const more = page + 1 < Number(pages);
  return answer(id, { tools: [tool(`page_${page}`)], ...(more && { nextCursor: String(page + 1) }) });
};

const requests = {
  initialize: (id, params) => {
    seen.initialize = params;
    if (flags.has('--never-initialize')) return;
    answer(id, { protocolVersion: era, capabilities, serverInfo });
  },
  'server/discover': (id, params) => {
    if (flags.has('--die-on-probe')) process.exit(1);
    if (flags.has('--silent-probe')) return;
    if (!modern) return fail(id, -32601, 'Method not found');
    seen.discover = params;
    answer(id, {
      supportedVersions: ['2026-07-28'],
      capabilities,
      _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
    });
  },
  ping: (id) => answer(id, {}),
  'tools/list': listTools,
  'tools/call': (id, params) => {
    seen.calls.push(params.name);
    note(`call ${params.name}`);
    if (modern) seen.callMeta = params._meta;
    const run = Object.hasOwn(calls, params.name) ? calls[params.name] : undefined;
    if (run === undefined) return fail(id, -32602, `Unknown tool: ${params.name}`);
    run(id, params.arguments ?? {}, params._meta);
  },
  'resources/list': (id) => answer(id, { resources: [{ uri: 'ui://fixture/app', name: 'app' }] }),
  'resources/templates/list': (id) =>
    answer(id, { resourceTemplates: [{ uriTemplate: 'ui://fixture/{x}', name: 'x' }] }),
  'prompts/list': (id) => answer(id, { prompts: [{ name: 'hello' }] }),
  'resources/read': (id, params) => {
    const run = Object.hasOwn(resources, params.uri) ? resources[params.uri] : undefined;
    if (run === undefined) return fail(id, -32002, 'Resource not found');
    run(id);
  },
  'resources/subscribe': (id, { uri }) => {
    note(`subscribe ${uri}`);
    if (uri.includes('forbidden')) return fail(id, -32002, 'Resource not found');
    watched.set(uri, id);
    answer(id, {});
  },
  'resources/unsubscribe': (id, { uri }) => {
    note(`unsubscribe ${uri}`);
    watched.delete(uri);
    answer(id, {});
  },
  'subscriptions/listen': (id, params) => {
    for (const uri of params.notifications.resourceSubscriptions ?? []) {
      note(`subscribe ${uri}`);
      watched.set(uri, id);
    }
    write({
      method: 'notifications/subscriptions/acknowledged',
      params: {
        _meta: { 'io.modelcontextprotocol/subscriptionId': id },
        notifications: params.notifications,
      },
    });
  },
};

let buffered = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  buffered += chunk;
  for (let end = buffered.indexOf('\n'); end !== -1; end = buffered.indexOf('\n')) {
    const line = buffered.slice(0, end);
    buffered = buffered.slice(end + 1);
    if (line.trim() === '') continue;
    const message = JSON.parse(line);
    if (message.method === undefined) {
      waiting.get(message.id)?.(message);
      continue;
    }
    if (message.id === undefined) {
      seen.notifications.push(message.method);
      if (message.method === 'notifications/cancelled') {
        seen.cancelled.push(message.params);
        for (const [uri, id] of watched) {
          if (id !== message.params.requestId) continue;
          note(`unsubscribe ${uri}`);
          watched.delete(uri);
        }
        note(`cancelled ${message.params.reason}`);
      }
      continue;
    }
    const handler = requests[message.method];
    if (handler === undefined) fail(message.id, -32601, 'Method not found');
    else handler(message.id, message.params);
  }
});
if (!flags.has('--ignore-term')) process.stdin.on('end', () => process.exit(0));
else setInterval(() => undefined, 1000);
