import type { CallToolResult, RequestHandlers } from '@casement/protocol';
import type { CallGate } from '../call-gate.js';
import { decideToolCall } from '../policy.js';
import { toDeliverableResult } from '../tool-result.js';
import { toServerSignal } from './server-signal.js';
import type { HandlerContext } from './handler-context.js';

/** Runs a tool of the app's own server; the outcome is the answer, never a notification (HOST-077). */
export const createToolsCall =
  (context: HandlerContext, gate: CallGate): RequestHandlers['tools/call'] =>
  ({ name, arguments: args, _meta }, { signal }): Promise<CallToolResult> =>
    gate.run(signal, async () => {
      // Judged when its turn comes: the list may have changed while the call waited (D17).
      context.enforce('tools/call', decideToolCall(name, await context.tools.get()), { tool: name });
      const token = _meta?.progressToken;
      const result = await context.options.server.callTool(
        { name, ...(args ? { arguments: args } : {}) },
        {
          caller: 'app',
          signal: toServerSignal(signal, context.failed),
          ...(token === undefined
            ? {}
            : {
                onProgress: (progress) => {
                  // The token belongs to this document's request: once that is over it may mean another.
                  if (!signal.aborted) {
                    context.notify('notifications/progress', { progressToken: token, ...progress });
                  }
                },
              }),
        },
      );
      return toDeliverableResult(result, context.recorder);
    });
