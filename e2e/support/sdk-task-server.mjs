// A server built with the official SDK, whose tool `render` runs as a task only; `states` tells how its tasks are.
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const taskStore = new InMemoryTaskStore();
const server = new McpServer(
  { name: 'renderer', version: '1.0.0' },
  {
    capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    taskStore,
  },
);
const text = (words) => ({ content: [{ type: 'text', text: words }] });

server.experimental.tasks.registerToolTask(
  'render',
  {
    description: 'Renders a film; seconds is how long that takes',
    inputSchema: { film: z.string(), seconds: z.number() },
    annotations: { readOnlyHint: true },
    execution: { taskSupport: 'required' },
  },
  {
    async createTask({ film, seconds }, extra) {
      const task = await extra.taskStore.createTask({ ttl: extra.taskRequestedTtl, pollInterval: 50 });
      setTimeout(() => {
        const isBroken = film === 'broken';
        const result = { ...text(isBroken ? 'No such film' : `Rendered ${film}`), isError: isBroken };
        // A task that was cancelled takes no result.
        taskStore
          .storeTaskResult(task.taskId, isBroken ? 'failed' : 'completed', result)
          .catch(() => undefined);
      }, seconds * 1000).unref();
      return { task };
    },
    getTask: (_args, { taskId, taskStore: own }) => own.getTask(taskId),
    getTaskResult: (_args, { taskId, taskStore: own }) => own.getTaskResult(taskId),
  },
);
server.registerTool('states', { description: 'Tells how the tasks are' }, async () => {
  const { tasks } = await taskStore.listTasks();
  return text(tasks.map(({ status }) => status).join(','));
});

await server.connect(new StdioServerTransport());
