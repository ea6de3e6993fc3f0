import {
  CasementError,
  isToolVisibleTo,
  parseCallToolResult,
  parseReadResourceResult,
} from '@casement/protocol';
import type { CallToolResult, ReadResourceResult, Tool } from '@casement/protocol';
import type { Tool as ClientTool } from '@modelcontextprotocol/client';
import type { CallProgress } from './call-scope.js';
import type { GatewayEvent } from './gateway-event.js';
import type { IntakeHooks } from './intake.js';
import type { ServerLimits } from './limits.js';
import { watchListChanges } from './list-changes.js';
import { createMissingResources } from './missing-resource.js';
import type { WireRecord } from './observed-transport.js';
import { createResourceWatch, type ResourceWatch } from './resource-watch.js';
import { createServerCatalog, type ServerCatalog } from './server-catalog.js';
import type { ServerConfig } from './server-config.js';
import { createServerConnection } from './server-connection.js';
import { createRunRequest, parseInTurn, requestAny, takeHeld } from './server-requests.js';
import { createServerTasks, isTaskTool, type ServerTasks } from './server-tasks.js';
import type { ServerFinding } from './server-findings.js';
import type { ServerLabels } from './server-labels.js';
import type { ServerSummary } from './server-summary.js';
import type { WireProblem } from './wire-problem.js';

/** On whose behalf something is asked of a server. */
type Caller = 'app' | 'user' | 'model';

/** A tool call as it reaches the gateway. */
interface ToolCall {
  name: string;
  arguments?: Record<string, unknown>;
  task?: { ttl?: number };
  caller: Caller;
  callId: string;
  session?: string;
}

/** One server with everything the API can ask of it. */
export interface GatewayServer {
  readonly name: string;
  summary(): ServerSummary;
  open(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
  list: ServerCatalog['list'];
  callTool(call: ToolCall, signal?: AbortSignal): Promise<CallToolResult>;
  /** Cancels a call that is under way; false when there is none of that id. */
  cancelCall(callId: string, reason?: string): boolean;
  readResource(
    read: { uri: string; caller: Caller; session?: string },
    signal?: AbortSignal,
  ): Promise<ReadResourceResult>;
  readonly tasks: ServerTasks;
  readonly resources: Pick<ResourceWatch, 'subscribe' | 'unsubscribe' | 'endStream'>;
}

/** What a server reports to the gateway. */
export interface ServerHooks {
  publish(event: GatewayEvent, only?: ReadonlySet<string>): void;
  onRecord(record: WireRecord): void;
  onProblem(problem: WireProblem): void;
  onLeftOut: IntakeHooks['onLeftOut'];
  onFinding(finding: ServerFinding): void;
}

/** Creates a server; `open()` starts it. */
export const createGatewayServer = ({
  config,
  labels,
  identity,
  version,
  limits,
  hooks,
}: {
  config: ServerConfig;
  labels: ServerLabels;
  identity: string;
  version: string;
  limits: ServerLimits;
  hooks: ServerHooks;
}): GatewayServer => {
  const { name } = config;
  const calls = new Map<string, AbortController>();
  let stopWatching: (() => void) | undefined;
  let renewResources: (() => void) | undefined;

  const connection = createServerConnection({
    config,
    labels,
    identity,
    version,
    limits,
    hooks: {
      onRecord: hooks.onRecord,
      onProblem: hooks.onProblem,
      onLeftOut: hooks.onLeftOut,
      onFinding: hooks.onFinding,
      onSummary: (server) => {
        hooks.publish({ type: 'server', server });
        if (server.status !== 'ready') return;
        renewResources?.();
        renewResources = undefined;
      },
      onReady: ({ client }) => {
        stopWatching?.();
        catalog.forget();
        renewResources = () => resources.renew(client);
        stopWatching = watchListChanges(client, {
          quietMs: limits.listChangedQuietMs,
          onStale: (list) => {
            if (list === 'tools') catalog.forget();
          },
          onChanged: (list) => {
            hooks.publish({ type: 'list-changed', server: name, list });
          },
        });
      },
    },
  });
  const run = createRunRequest(connection, limits);
  const catalog = createServerCatalog({ connection, run, limits });
  const missing = createMissingResources(catalog);

  const resources = createResourceWatch({
    connection,
    run,
    onUpdated: (uri, streams) => {
      hooks.publish({ type: 'resource-updated', server: name, uri }, streams);
    },
  });

  const sendCall = async (call: ToolCall, tool: Tool, signal: AbortSignal): Promise<CallToolResult> => {
    const params = {
      name: call.name,
      ...(call.arguments !== undefined && { arguments: call.arguments }),
    };
    const onProgress = (progress: CallProgress): void => {
      hooks.publish({ type: 'progress', server: name, callId: call.callId, ...progress });
    };
    const settings = { signal, onProgress, ...(call.session !== undefined && { session: call.session }) };
    const result = await run('tools/call', settings, (client, options) =>
      client.getProtocolEra() === 'modern'
        ? // Only the client's own method mirrors arguments into headers, as revision 2026-07-28 demands over HTTP.
          takeHeld(() => client.callTool(params, { ...options, toolDefinition: toClientTool(tool) }))
        : requestAny(
            client,
            'tools/call',
            // A server or tool that knows no tasks is called as ever.
            call.task !== undefined && isTaskTool(client, tool) ? { ...params, task: call.task } : params,
            options,
          ),
    );
    return parseInTurn(connection.shownName, 'tools/call', () => parseCallToolResult(result));
  };

  return {
    name,
    summary: connection.summary,
    open: connection.open,
    restart: connection.restart,
    async close() {
      stopWatching?.();
      await connection.close();
    },
    list: catalog.list,
    tasks: createServerTasks(name, run),
    resources,
    async callTool(call, dropped) {
      if (calls.has(call.callId)) {
        throw new CasementError('bad-request', 'A call with this callId is already under way.');
      }
      const controller = new AbortController();
      calls.set(call.callId, controller);
      const signal =
        dropped === undefined ? controller.signal : AbortSignal.any([controller.signal, dropped]);
      try {
        const tool = await catalog.findTool(call.name, { signal });
        refuseHidden(tool, call.caller);
        return await sendCall(call, tool, signal);
      } finally {
        calls.delete(call.callId);
      }
    },
    cancelCall(callId, reason = 'cancelled by the caller') {
      const controller = calls.get(callId);
      controller?.abort(reason);
      return controller !== undefined;
    },
    async readResource({ uri, session }, signal) {
      const settings = { ...(signal !== undefined && { signal }), ...(session !== undefined && { session }) };
      try {
        const result = await run('resources/read', settings, (client, options) =>
          requestAny(client, 'resources/read', { uri }, options),
        );
        return await parseInTurn(connection.shownName, 'resources/read', () =>
          parseReadResourceResult(result),
        );
      } catch (error) {
        if (error instanceof CasementError && error.code === 'resource-missing')
          throw await missing.explain(error, uri, connection.shownName);
        throw toResourceFailure(error);
      }
    },
  };
};

/** HOST-021, HOST-022: the page checks this too, but a check in a browser alone is not enough. */
const refuseHidden = (tool: Tool, caller: Caller): void => {
  if (caller === 'user' || isToolVisibleTo(tool, caller)) return;
  throw new CasementError('tool-not-visible', `The tool "${tool.name}" is not offered to ${caller}s.`, {
    hint: `Add "${caller}" to its _meta.ui.visibility, or call another tool.`,
  });
};

const toResourceFailure = (error: unknown): unknown =>
  error instanceof CasementError && error.code === 'result-too-large'
    ? new CasementError('resource-too-large', error.message, {
        step: 'resource',
        hint: 'Make the page smaller, or let it load its parts itself.',
        cause: error,
      })
    : error;

/** The client reads only the header declarations of the input schema; a result check by the server's schema is left out. */
const toClientTool = (tool: Tool): ClientTool =>
  // Both describe the tool of tools/list; ours keeps unknown keys as unknown.
  ({ ...tool, outputSchema: undefined }) as ClientTool;
