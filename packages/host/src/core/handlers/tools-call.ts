import type { CallToolResult, MetadataFinding, RequestHandlers, Tool } from '@casement/protocol';
import { readTask } from '@casement/protocol/wire';
import {
  readToolClaims,
  readToolEffect,
  toCallRule,
  toDigest,
  toToolDefinition,
} from '@casement/protocol/consents';
import { CasementError } from '@casement/protocol/start';
import type { Consent } from '../consent/consent.js';
import { pageMemory } from '../consent/page-memory.js';
import type { Decision } from '../policy/decision.js';
import { allow, toRefusal } from '../policy/decision.js';
import { decideToolCall, toDenial } from '../policy/policy.js';
import { toQuoted } from '../policy/to-quoted.js';
import { toDeliverableResult } from '../server/deliverable-result.js';
import type { ServerAccess } from '../server/server-access.js';
import type { ServerTaskIds } from '../server/server-task-ids.js';
import type { ToolList } from '../server/tool-list.js';
import type { ToolCallRequest } from '../session-options.js';
import type { HandlerContext } from './handler-context.js';

/*
 * A call of a tool of the app's own server.
 *
 * 1. The call waits for its place at the server, then the tool is judged: listed now, and visible to apps.
 * 2. A tool that may do harm is asked about. The user's yes holds for the tool as the question showed it.
 * 3. The tool is called. Progress and the outcome go to the document that asked, and to no other.
 */

const method = 'tools/call';

/** Runs a tool of the app's own server; the outcome is the answer, never a notification (HOST-077). */
export const createToolsCall = (
  context: HandlerContext,
  tools: ToolList,
  taskIds: ServerTaskIds,
  serverAccess: ServerAccess,
  consent: Consent,
): RequestHandlers['tools/call'] => {
  const toolConsent = createToolConsent(context, consent);
  return ({ name, arguments: args, task, _meta }, request): Promise<CallToolResult> =>
    serverAccess(request.signal, 'tool-failed', async (signal) => {
      // Judged when its turn comes: the list may have changed while the call waited (D17).
      const judge = async (): Promise<Tool | undefined> => {
        const tool = (await tools.get()).get(name);
        context.enforce(method, decideToolCall(name, tool, context.family()), { tool: name });
        return tool;
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
};

// Who said no that often in a row to one app is not asked by it any more.
const maxNoes = 3;

/** Returns when an app may make a call, and throws the refusal when it may not. `judge` gives the tool as listed now. */
type ToolConsent = (
  judge: () => Promise<Tool | undefined>,
  args: Record<string, unknown>,
  signal: AbortSignal,
) => Promise<void>;

/** Makes what asks before the calls of one app; it remembers the answers while the app is shown. */
const createToolConsent = (context: HandlerContext, consent: Consent): ToolConsent => {
  const { options, recorder } = context;
  const { toolCallPolicy, server } = options;
  const memory = options.consents ?? pageMemory;
  /** The calls the user said no to. */
  const denied = new Set<string>();
  let noes = 0;
  /** The one question about all tools that say nothing of themselves; fulfilled with a yes. */
  let unannotated: Promise<void> | undefined;

  const end = (decision: Decision & { allow: false }, details: Record<string, unknown>): never => {
    recorder.decision(method, decision, details);
    throw toRefusal(decision);
  };

  const ask = async (
    tool: Tool,
    args: Record<string, unknown>,
    { reach, definition, signal }: Pick<ToolCallRequest, 'reach'> & Asked,
  ): Promise<void> => {
    const { onToolCall } = options;
    const details = { tool: tool.name, reach };
    if (!onToolCall) return context.enforce(method, toUnasked(tool), details);
    const call = reach === 'app' ? '' : JSON.stringify([tool.name, await toDigest(args)]);
    if (denied.has(call)) return end(deniedBefore, details);
    if (noes >= maxNoes) return end(deniedOften, details);
    const isGranted = await consent({
      method,
      kind: 'tool-call',
      scope: toScope(tool, definition),
      denial: 'tool-call-denied',
      details,
      signal,
      alwaysAsk: reach === 'app' || definition === undefined,
      ask: (asked) =>
        onToolCall(
          {
            caller: 'app',
            server: server.name,
            tool,
            arguments: args,
            claims: readToolClaims(tool),
            reach,
            app: context.app(),
          },
          asked,
        ),
    });
    noes = isGranted ? 0 : noes + 1;
    if (isGranted) return;
    denied.add(call);
    throw toRefusal(toDenial('tool-call-denied'));
  };

  /** Of several calls at once one asks; who waited for a question that its app took back asks the next one. */
  const askOnce = async (tool: Tool, args: Record<string, unknown>, signal: AbortSignal): Promise<void> => {
    for (;;) {
      const asked = (unannotated ??= ask(tool, args, { reach: 'app', definition: undefined, signal }));
      try {
        return await asked;
      } catch (error) {
        if (unannotated === asked) unannotated = undefined;
        const isTakenBack = error instanceof CasementError && error.code === 'cancelled';
        if (!isTakenBack || signal.aborted) throw error;
      }
    }
  };

  return async (judge, args, signal) => {
    const tool = await judge();
    if (!tool) return;
    const effect = readToolEffect(tool);
    if (effect === 'unsaid') context.addFinding(toUnannotated(tool));
    const rule = toCallRule('app', effect, toolCallPolicy);
    if (rule === 'run') return;
    if (rule === 'ask-once') {
      await askOnce(tool, args, signal);
      // The yes was to tools that say nothing: one that says more by now is another question.
      const now = await judge();
      if (!now || readToolEffect(now) !== 'unsaid') end(changedMeanwhile, { tool: tool.name });
      return;
    }
    const definition = await toToolDefinition(tool);
    const key = { kind: 'tool-call', server: server.identity, scope: toScope(tool, definition) } as const;
    if (definition !== undefined && memory.has(key)) {
      return recorder.decision(method, allow('The user said always to this tool.'), { tool: tool.name });
    }
    await ask(tool, args, { reach: 'call', definition, signal });
    // The yes was to the tool the question showed; a server may have changed it meanwhile (D17, T21).
    const now = await judge();
    if (!now || (await toToolDefinition(now)) !== definition) end(changedMeanwhile, { tool: tool.name });
  };
};

interface Asked {
  readonly definition: string | undefined;
  readonly signal: AbortSignal;
}

const toScope = ({ name }: Tool, definition: string | undefined): string => `${definition ?? ''} ${name}`;

const toDenied = (reason: string, hint: string): Decision & { allow: false } => ({
  allow: false,
  code: 'tool-call-denied',
  reason,
  hint,
});

const deniedBefore = toDenied(
  'The user said no to this call before and is not asked again while the app is shown.',
  'Go on without it.',
);

const deniedOften = toDenied(
  `The user said no ${maxNoes} times in a row and is not asked by this app any more.`,
  'Go on without it. The user is asked again when the app is opened anew.',
);

const changedMeanwhile = toDenied(
  'The tool describes itself otherwise than in the question that was answered.',
  'Call it again, so that the user can look at it as it is now.',
);

const toUnasked = ({ name }: Tool): Decision =>
  toDenied(
    `A call of ${toQuoted(name)} needs the user's yes, and this host asks nobody.`,
    "Host: give onToolCall (createConsentDialogs has one), or toolCallPolicy: { toolCalls: 'run' }. Server: say destructiveHint: false of a tool that destroys nothing.",
  );

/** Once per tool. */
const toUnannotated = ({ name }: Tool): MetadataFinding => ({
  code: 'tool-unannotated',
  message: `The app calls the tool ${toQuoted(name)}, which is not annotated: nothing says whether a call does harm.`,
  fix: 'Set annotations of the tool: readOnlyHint true if it only reads; otherwise readOnlyHint false, and destructiveHint true or false.',
  path: 'tools/call',
});
