import type { CallToolResult, ReadResourceResult, Task, Tool } from '@casement/protocol';
import { parseCallToolResult, parseReadResourceResult, parseTask } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import { isToolVisibleTo } from '@casement/protocol/tools';
import type { Client } from '@modelcontextprotocol/client';
import type { CallProgress } from '../transport/observed-transport.js';
import type { GatewayEvent } from '../facts/gateway-event.js';
import { watchListChanges } from './list-changes.js';
import { createMissingResources } from './missing-resource.js';
import { createResourceWatch, type ResourceWatch } from './resource-watch.js';
import { createServerCatalog, type ServerCatalog } from './server-catalog.js';
import { createServerConnection, type ServerSettings } from '../connection/server-connection.js';
import type { WireHooks } from '../connection/live-connection.js';
import { createServerRequests } from '../connection/server-requests.js';
import type { ServerFinding } from '../facts/server-findings.js';
import type { SignInStep } from '../facts/sign-in-summary.js';
import type { ServerSignIn } from '../sign-in/server-sign-in.js';
import type { ServerSummary } from '../facts/server-summary.js';
import { createAppDocuments } from '../watch/app-documents.js';
import { createLateWatch } from '../watch/late-watch.js';
import type { ServerWatch } from '../watch/server-watch.js';

/** Who causes a request to a server. */
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

/** Requests about a task: work that a server continues after it answered (HOST-104). */
interface ServerTasks {
  get(taskId: string, signal?: AbortSignal): Promise<Task>;
  result(taskId: string, signal?: AbortSignal): Promise<CallToolResult>;
  cancel(taskId: string): Promise<void>;
}

/** What a server answered to a read. */
interface ResourceAnswer {
  result: ReadResourceResult;
  /** Names exactly this answer, if it has the document of an app. */
  tag?: string;
}

/** One server with everything the API can ask of it. */
export interface GatewayServer {
  readonly name: string;
  readonly signIn: ServerSignIn | undefined;
  /** Forgets who signed in to it, also of one that may not start. */
  forgetSignIns(): Promise<void>;
  summary(): ServerSummary;
  open(): Promise<void>;
  restart(): Promise<void>;
  /** Ends a start that is under way. */
  cancelStart(): Promise<void>;
  /** Finds out how the steps to it go; asks for its lists, and never calls a tool. */
  diagnose(): Promise<void>;
  close(): Promise<void>;
  list: ServerCatalog['list'];
  callTool(call: ToolCall, signal?: AbortSignal): Promise<CallToolResult>;
  /** Cancels a call that is under way; false when there is none of that id. */
  cancelCall(callId: string, reason?: string): boolean;
  readResource(
    read: { uri: string; caller: Caller; session?: string },
    signal?: AbortSignal,
  ): Promise<ResourceAnswer>;
  readonly tasks: ServerTasks;
  readonly resources: Pick<ResourceWatch, 'subscribe' | 'unsubscribe' | 'endStream'>;
  readonly watch: Pick<ServerWatch, 'set' | 'look'>;
}

/** What a server of the gateway is made from. */
interface GatewayServerSettings extends ServerSettings {
  /** Paths that are watched besides the server's own files, while it is watched. */
  watchPaths?: readonly string[];
}

/** The callbacks of a server. */
export interface ServerHooks extends WireHooks {
  publish(event: GatewayEvent, only?: ReadonlySet<string>): void;
  onFinding(finding: ServerFinding): void;
  onSignIn(step: SignInStep): void;
}

/** Creates a server of the gateway: its connection, lists, calls and subscriptions. `open()` starts it. */
export const createGatewayServer = (settings: GatewayServerSettings, hooks: ServerHooks): GatewayServer => {
  const {
    config: { name },
    limits,
  } = settings;
  const calls = new Map<string, AbortController>();
  let stopWatching: (() => void) | undefined;
  let renewResources: (() => void) | undefined;

  const summary = (): ServerSummary => {
    const watched = watch.summary();
    return { ...connection.summary(), ...(watched && { watch: watched }) };
  };
  const publishSummary = (): void => hooks.publish({ type: 'server', server: summary() });

  const connection = createServerConnection(settings, {
    ...hooks,
    onSummary: (server) => {
      publishSummary();
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
  });
  const requests = createServerRequests(connection, limits);
  const catalog = createServerCatalog({ connection, requests, limits });
  const list: ServerCatalog['list'] = (kind, settings) =>
    connection.watchList(kind, () => catalog.list(kind, settings));
  /** Every list the server says it has; one that fails is told as the step it is. */
  const readLists = async (): Promise<void> => {
    if (connection.summary().status !== 'ready') return;
    for (const kind of ['tools', 'resources', 'templates', 'prompts'] as const) await list(kind);
  };
  const missing = createMissingResources(catalog);

  const resources = createResourceWatch({
    connection,
    requests,
    onUpdated: (uri, streams) => {
      hooks.publish({ type: 'resource-updated', server: name, uri }, streams);
    },
  });

  const documents = createAppDocuments((uri) =>
    // Asked again and again: a change is an entry, and so is the read that shows it.
    requests.ask('resources/read', { uri }, parseReadResourceResult, { isUnrecorded: true }),
  );
  const watch = createLateWatch(
    {
      config: settings.config,
      summary: connection.summary,
      restart: connection.restart,
      giveUp: () => void connection.cancel(),
      documents,
      publish: hooks.publish,
      onSummary: publishSummary,
      onFinding: hooks.onFinding,
    },
    settings.watchPaths ?? [],
  );

  const sendCall = async (call: ToolCall, tool: Tool, signal: AbortSignal): Promise<CallToolResult> => {
    const params = {
      name: call.name,
      ...(call.arguments !== undefined && { arguments: call.arguments }),
    };
    const onProgress = (progress: CallProgress): void => {
      hooks.publish({ type: 'progress', server: name, callId: call.callId, ...progress });
    };
    const settings = { signal, onProgress, ...(call.session !== undefined && { session: call.session }) };
    // A server or tool that knows no tasks is called as ever.
    const asTask = call.task !== undefined && isTaskTool(connection.link().client, tool);
    const asked = asTask ? { ...params, task: call.task } : params;
    return requests.ask('tools/call', asked, parseCallToolResult, settings, (server, options) =>
      server.callTool(asked, tool, options),
    );
  };

  return {
    name,
    // Nothing is asked of a server that may not start, its metadata included.
    signIn: settings.held === undefined ? settings.signIn : undefined,
    forgetSignIns: async () => settings.signIn?.forget(),
    summary,
    watch: {
      look: watch.look,
      async set(isOn) {
        // Nothing of a server that may not start is looked at: this throws the reason.
        if (isOn && settings.held !== undefined) connection.link();
        await watch.set(isOn);
      },
    },
    open: connection.open,
    restart: connection.restart,
    cancelStart: connection.cancel,
    diagnose: () => connection.diagnose(readLists),
    async close() {
      stopWatching?.();
      watch.close();
      await connection.close();
    },
    list,
    tasks: {
      get: (taskId, signal) => requests.ask('tasks/get', { taskId }, parseTask, { signal }),
      result: (taskId, signal) => requests.ask('tasks/result', { taskId }, parseCallToolResult, { signal }),
      cancel: (taskId) => requests.ask('tasks/cancel', { taskId }, () => undefined),
    },
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
      const settings = { signal, ...(session !== undefined && { session }) };
      try {
        const result = await requests.ask('resources/read', { uri }, parseReadResourceResult, settings);
        const { tag, changed } = documents.note(uri, result) ?? {};
        if (changed) hooks.publish({ type: 'app-changed', server: name, ...changed, by: 'read' });
        return { result, ...(tag !== undefined && { tag }) };
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

/** Whether this tool may be called as a task: the server says so of itself, and of the tool. Revision 2026-07-28 has none. */
const isTaskTool = (client: Client, { execution }: Tool): boolean =>
  client.getProtocolEra() !== 'modern' &&
  client.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined &&
  (execution?.taskSupport === 'optional' || execution?.taskSupport === 'required');
