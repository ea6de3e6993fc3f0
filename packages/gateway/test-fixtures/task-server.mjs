// A server in raw JSON-RPC lines that knows tasks as MCP 2025-11-25 has them; `--no-tasks` does not say so.
import { createInterface } from 'node:readline';

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (params) => ({
  content: [{ type: 'text', text: JSON.stringify({ ...params, _meta: undefined }) }],
});
const tool = (name, taskSupport) => ({ name, inputSchema: { type: 'object' }, execution: { taskSupport } });
const tasks = new Map();
const toTask = (taskId) => {
  const { looks, isCancelled } = tasks.get(taskId);
  const status = isCancelled ? 'cancelled' : looks > 2 ? 'completed' : 'working';
  const at = new Date(0).toISOString();
  return { taskId, status, createdAt: at, lastUpdatedAt: at, ttl: null, pollInterval: 1 };
};
const capabilities = {
  tools: {},
  ...(process.argv.includes('--no-tasks')
    ? {}
    : { tasks: { cancel: {}, requests: { tools: { call: {} } } } }),
};

const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities,
    serverInfo: { name: 'tasks', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [tool('slow', 'required'), tool('quick', 'forbidden')] }),
  'tools/call': (params) => {
    if (!params.task || params.name !== 'slow') return text(params);
    const taskId = `task-${tasks.size + 1}`;
    tasks.set(taskId, { looks: 0, params });
    return { task: toTask(taskId) };
  },
  'tasks/get': ({ taskId }) => {
    tasks.get(taskId).looks += 1;
    return toTask(taskId);
  },
  'tasks/result': ({ taskId }) => ({
    ...text(tasks.get(taskId).params),
    _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
  }),
  'tasks/cancel': ({ taskId }) => {
    tasks.get(taskId).isCancelled = true;
    return toTask(taskId);
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const isKnown = method in answers && (params?.taskId === undefined || tasks.has(params.taskId));
  if (isKnown) write({ id, result: answers[method](params ?? {}) });
  else write({ id, error: { code: method in answers ? -32602 : -32601, message: `No ${method} for that.` } });
});
