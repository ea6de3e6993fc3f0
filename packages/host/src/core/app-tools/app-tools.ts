import { followTask } from '@casement/protocol/tasks';
import { CasementError, readTask, toQuoted } from '../loaded/loaded.js';
import type { CallToolResult, ParamsOf, Task, Tool } from '@casement/protocol';
import type { AppTool } from '../state/app-snapshot.js';
import { listAppTools } from './list-app-tools.js';
import { toAppTools } from './to-app-tools.js';
import { checkAppToolResult } from './check-app-tool-result.js';
import type { HandlerContext } from '../handlers/handler-context.js';
import type { ServerTaskIds } from '../server/server-task-ids.js';
import type { SessionLimits } from '../limits.js';
import type { CallProgress, ServerTasks } from '@casement/protocol/ports';
import type { MountedApp } from '../session-options.js';
import type { ToolList } from '../server/tool-list.js';

/** The tools one live app offers: there from its handshake to its end, and never after (HOST-093, HOST-094). */
export interface AppTools {
  appReady(): void;
  appGone(): void;
  /** The app says that its tools changed; asked for anew, but not too often. */
  listChanged(): void;
  /** Tools pushed in a dialect that has no way to call them, the whole list each time. */
  announce(tools: readonly Tool[]): void;
  /** The server's tools changed: a name may be taken now. */
  rename(): void;
  progress(params: ParamsOf<'notifications/progress'>): void;
  readonly call: MountedApp['callAppTool'];
}

const announceQuietMs = 100;

type CallSettings = NonNullable<Parameters<MountedApp['callAppTool']>[2]>;

/** Tracks the tools that one app offers, and calls them. */
export const createAppTools = (
  context: HandlerContext,
  serverTools: ToolList,
  taskIds: Pick<ServerTaskIds, 'has'>,
  limits: SessionLimits,
): AppTools => {
  const listeners = new Map<string, (progress: CallProgress) => void>();
  let listed: readonly Tool[] = [];
  let announced: readonly Tool[] = [];
  // Aborted as long as there is no app that is ready.
  let life = new AbortController();
  life.abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let announceTimer: ReturnType<typeof setTimeout> | undefined;
  let lastAnnouncement = 0;
  let lastListing = 0;
  let calls = 0;

  const isOffering = (): boolean => context.snapshot().appCapabilities?.tools !== undefined;

  const show = async (): Promise<void> => {
    const { signal } = life;
    const serverNames = await serverTools.get().then(
      (tools) => new Set(tools.keys()),
      () => new Set<string>(),
    );
    if (signal.aborted) return;
    const known = new Set(listed.map(({ name }) => name));
    const offered = [
      ...listed.map((tool) => ({ tool, callable: true })),
      ...announced.filter(({ name }) => !known.has(name)).map((tool) => ({ tool, callable: false })),
    ];
    const { session, appTools: before } = context.snapshot();
    const appTools = toAppTools(session, offered, serverNames);
    if (JSON.stringify(appTools) === JSON.stringify(before)) return;
    // HOST-100: with their definitions, which are in the app's answer, the names say what was on offer when.
    context.recorder.lifecycle('app-tools', { tools: appTools.map(({ qualifiedName }) => qualifiedName) });
    context.update({ appTools });
  };

  const list = async (): Promise<void> => {
    const { signal } = life;
    lastListing = Date.now();
    try {
      const tools = await listAppTools(context, limits, signal);
      if (signal.aborted) return;
      listed = tools;
      await show();
    } catch (error) {
      if (signal.aborted) return;
      context.addFinding({
        code: 'app-tool-invalid',
        message: `The app did not list its tools: ${error instanceof Error ? error.message : 'no answer'}`,
        fix: 'Answer tools/list with { tools: [ … ] }, or do not declare the tools capability.',
        path: 'tools/list',
      });
    }
  };

  const toCallable = (name: string): AppTool => {
    const { status, appTools } = context.snapshot();
    if (status !== 'ready') throw toGone();
    const found =
      appTools.find(({ qualifiedName }) => qualifiedName === name) ??
      appTools.find(({ tool }) => tool.name === name);
    if (found?.callable) return found;
    throw new CasementError(
      'app-tool-not-found',
      found
        ? `The app announced the tool ${toQuoted(name)} in a way that cannot be called.`
        : `The app offers no tool named ${toQuoted(name)}.`,
      { hint: 'Call one of the callable tools in the snapshot of the app.' },
    );
  };

  /** Returns the request function for one call. It rejects once the app that was there when the call began is gone. */
  const createAsk =
    (ended: AbortSignal): HandlerContext['request'] =>
    async (method, params, { signal } = {}) => {
      try {
        return await context.request(method, params, {
          signal: signal ? AbortSignal.any([signal, ended]) : ended,
          timeoutMs: limits.appToolMs,
        });
      } catch (error) {
        // The app started over in the same document: what it was asked before holds no more.
        if (ended.aborted) throw toGone();
        if (error instanceof CasementError && error.code === 'invalid-message') {
          throw new CasementError('app-tool-invalid', error.message);
        }
        throw error;
      }
    };

  /**
   * Waits for a task (HOST-104). A task of the app ends with the app; a task of its server is followed even after the
   * app is gone.
   */
  const finishTask = (
    task: Task,
    ask: HandlerContext['request'],
    ended: AbortSignal,
    { signal, onTask }: CallSettings,
  ): Promise<CallToolResult> => {
    const { taskId } = task;
    const ofServer = taskIds.has(taskId) ? context.options.server.tasks : undefined;
    context.recorder.lifecycle('app-tool-task', { taskId, of: ofServer ? 'server' : 'app' });
    onTask?.({ taskId, ofServer: ofServer !== undefined });
    const forEver = new AbortController().signal;
    if (ofServer) return followTask(task, ofServer, limits, signal ?? forEver);
    const ofApp: ServerTasks = {
      get: (id, options) => ask('tasks/get', { taskId: id }, options),
      result: (id, options) => ask('tasks/result', { taskId: id }, options),
      cancel: async (id) => void (await ask('tasks/cancel', { taskId: id })),
    };
    const life = signal ? AbortSignal.any([signal, ended]) : ended;
    return followTask(task, ofApp, limits, life).catch((error: unknown) => {
      throw ended.aborted ? toGone() : error;
    });
  };

  const request = async (
    tool: Tool,
    args: Record<string, unknown>,
    settings: CallSettings,
  ): Promise<CallToolResult> => {
    const { signal, onProgress } = settings;
    const ended = life.signal;
    const ask = createAsk(ended);
    const token = `app-tool-${(calls += 1)}`;
    const { taskSupport } = tool.execution ?? {};
    const isLong = taskSupport === 'optional' || taskSupport === 'required';
    if (onProgress) listeners.set(token, onProgress);
    try {
      const result = await ask(
        'tools/call',
        {
          name: tool.name,
          arguments: args,
          ...(isLong ? { task: { ttl: limits.appTaskMs } } : {}),
          ...(onProgress ? { _meta: { progressToken: token } } : {}),
        },
        signal ? { signal } : {},
      );
      const task = isLong ? readTask(result) : undefined;
      const outcome = task ? await finishTask(task, ask, ended, settings) : result;
      return checkAppToolResult(tool, outcome, limits);
    } finally {
      listeners.delete(token);
    }
  };

  return {
    appReady() {
      life = new AbortController();
      // HOST-081: an app that did not declare tools is never asked for any.
      if (isOffering()) void list();
      if (announced.length > 0) void show();
    },
    appGone() {
      clearTimeout(timer);
      clearTimeout(announceTimer);
      timer = announceTimer = undefined;
      life.abort();
      listed = announced = [];
      if (context.snapshot().appTools.length === 0) return;
      context.recorder.lifecycle('app-tools', { tools: [] });
      context.update({ appTools: [] });
    },
    listChanged() {
      if (!isOffering() || life.signal.aborted || timer !== undefined) return;
      const wait = Math.max(0, lastListing + limits.appToolListMs - Date.now());
      timer = setTimeout(() => {
        timer = undefined;
        void list();
      }, wait);
    },
    announce(tools) {
      announced = tools.slice(0, limits.maxAppTools);
      // An app that is not ready yet has them shown when it is.
      if (life.signal.aborted || announceTimer !== undefined) return;
      // Showing compares them all: a short message must not cost that each time.
      const wait = Math.max(0, lastAnnouncement + announceQuietMs - Date.now());
      announceTimer = setTimeout(() => {
        announceTimer = undefined;
        lastAnnouncement = Date.now();
        void show();
      }, wait);
    },
    rename() {
      if (listed.length + announced.length > 0) void show();
    },
    progress({ progressToken, progress, total, message }) {
      listeners.get(String(progressToken))?.({
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      });
    },
    async call(name, args, options = {}) {
      const { qualifiedName, tool } = toCallable(name);
      const began = Date.now();
      const note = (outcome: string): void =>
        context.recorder.lifecycle('app-tool-call', {
          name: qualifiedName,
          tool: tool.name,
          outcome,
          ms: Date.now() - began,
        });
      try {
        const result = await request(tool, args, options);
        note(result.isError ? 'tool error' : 'result');
        return result;
      } catch (error) {
        note(error instanceof CasementError ? error.code : 'internal');
        throw error;
      }
    },
  };
};

const toGone = (): CasementError =>
  new CasementError('session-closed', 'The app that offered the tool is gone.', {
    hint: 'Show the app again; its tools live as long as it does.',
  });
