import type { CallToolResult, RequestHandlers, Tool } from '@casement/protocol';
import { readTask } from '@casement/protocol';
import { decideToolCall } from '../policy/policy.js';
import type { ToolList } from '../server/tool-list.js';
import { toDeliverableResult } from '../call/tool-result.js';
import type { HandlerContext } from './handler-context.js';
import type { ServerAccess } from '../server/server-access.js';
import type { ServerTaskIds } from './server-tasks.js';
import type { ToolConsent } from '../consent/tool-consent.js';

/** Runs a tool of the app's own server; the outcome is the answer, never a notification (HOST-077). */
export const createToolsCall =
  (
    context: HandlerContext,
    tools: ToolList,
    taskIds: ServerTaskIds,
    serverAccess: ServerAccess,
    toolConsent: ToolConsent,
  ): RequestHandlers['tools/call'] =>
  ({ name, arguments: args, task, _meta }, request): Promise<CallToolResult> =>
    serverAccess(request.signal, 'tool-failed', async (signal) => {
      // Judged when its turn comes: the list may have changed while the call waited (D17).
      const judge = async (): Promise<Tool | undefined> => {
        const listed = await tools.get();
        context.enforce('tools/call', decideToolCall(name, listed, context.family()), { tool: name });
        return listed.get(name);
      };
      await toolConsent(judge, args ?? {}, request.signal);
      const token = _meta?.progressToken;
      const { server } = context.options;
      const wished = task && server.tasks ? { task: task.ttl === undefined ? {} : { ttl: task.ttl } } : {};
      const result = await server.callTool(
        { name, ...(args ? { arguments: args } : {}), ...wished },
        {
          caller: 'app',
          signal,
          ...(token === undefined
            ? {}
            : {
                onProgress: (progress) => {
                  // The token belongs to this document's request: once that is over it may mean another.
                  if (!request.signal.aborted) {
                    context.notify('notifications/progress', { progressToken: token, ...progress });
                  }
                },
              }),
        },
      );
      const begun = readTask(result);
      if (begun && 'task' in wished) taskIds.add(begun.taskId);
      return toDeliverableResult(result, context.recorder);
    });
