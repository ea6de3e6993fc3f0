import type {
  AppResources,
  AppSnapshot,
  CallProgress,
  MountAppOptions,
  MountedApp,
  ServerPort,
} from '@casement/host';
import { mountApp } from '@casement/host';
import type { CallToolResult, DisplayMode, HostContext, Tool } from '@casement/protocol';
import { CasementError, readToolUi } from '@casement/protocol';
import { sizeOfResult } from './gateway-client.js';

/** How the tool call behind the app goes. */
export type CallState =
  | { status: 'none' }
  | { status: 'running'; since: number; progress?: CallProgress }
  | { status: 'done'; result: CallToolResult; ms: number; bytes?: number }
  | { status: 'cancelled'; ms: number }
  | { status: 'failed'; error: CasementError; ms: number };

/** One call to make and, if its tool has one, the app to show. */
export interface StagedCall {
  port: ServerPort;
  resources: AppResources;
  tool: Tool;
  args: Record<string, unknown>;
}

/** What only the page knows about how an app is mounted. */
type StageSettings = Pick<
  MountAppOptions,
  'sandbox' | 'hostContext' | 'recording' | 'hostInfo' | 'displayModes' | 'onOpenLink' | 'onMessage'
>;

/** The place where one app at a time is shown, with the call that feeds it. */
export interface Stage {
  run(call: StagedCall, settings: StageSettings): Promise<void>;
  cancel(): void;
  reload(): void;
  close(): Promise<void>;
  setHostContext(patch: HostContext): void;
  setDisplayMode(mode: DisplayMode): void;
  call(): CallState;
  /** The call that was run last. */
  staged(): StagedCall | undefined;
  snapshot(): AppSnapshot | undefined;
  subscribe(listener: () => void): () => void;
}

const toCasementError = (error: unknown): CasementError =>
  error instanceof CasementError
    ? error
    : new CasementError('internal', error instanceof Error ? error.message : String(error), { cause: error });

/** Creates the stage in an element of the page. */
export const createStage = (container: HTMLElement): Stage => {
  const listeners = new Set<() => void>();
  let app: MountedApp | undefined;
  let stopListening: (() => void) | undefined;
  let callState: CallState = { status: 'none' };
  let abort: AbortController | undefined;
  let staged: StagedCall | undefined;
  // Counts runs: what an earlier run still brings in is not for the app of a later one (B27).
  let runs = 0;

  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const setCall = (next: CallState): void => {
    callState = next;
    tell();
  };

  const clear = async (reason: string): Promise<void> => {
    abort?.abort('Another tool was run.');
    const old = app;
    await old?.close(reason);
    stopListening?.();
    if (app === old) app = undefined;
    container.replaceChildren();
  };

  const mount = ({ port, resources, tool, args }: StagedCall, settings: StageSettings): MountedApp => {
    const mounted = mountApp(container, {
      ...settings,
      server: port,
      resources,
      tool,
      toolInput: args,
      title: `App of ${tool.title ?? tool.name}`,
    });
    stopListening = mounted.subscribe(tell);
    return mounted;
  };

  const settleCall = async (run: number, { port, tool, args }: StagedCall): Promise<void> => {
    const controller = new AbortController();
    abort = controller;
    const since = performance.now();
    setCall({ status: 'running', since });
    const elapsed = (): number => Math.round(performance.now() - since);
    try {
      const result = await port.callTool(
        { name: tool.name, arguments: args },
        {
          caller: 'user',
          signal: controller.signal,
          onProgress: (progress) => {
            if (run === runs && callState.status === 'running') setCall({ ...callState, progress });
          },
        },
      );
      if (run !== runs) return;
      app?.sendToolResult(result);
      setCall({ status: 'done', result, ms: elapsed(), bytes: sizeOfResult(result) });
    } catch (thrown) {
      if (run !== runs) return;
      const error = toCasementError(thrown);
      const cancelled = controller.signal.aborted;
      app?.cancelTool(cancelled ? 'The user cancelled the call.' : error.message);
      setCall(
        cancelled ? { status: 'cancelled', ms: elapsed() } : { status: 'failed', error, ms: elapsed() },
      );
    }
  };

  return {
    run: async (call, settings) => {
      runs += 1;
      const run = runs;
      staged = call;
      await clear('Another tool was run.');
      if (run !== runs) return;
      // The app is mounted as the call starts: reading, framing and handshake run beside it.
      if (readToolUi(call.tool).resourceUri !== undefined) app = mount(call, settings);
      await settleCall(run, call);
    },
    cancel: () => abort?.abort('The user cancelled the call.'),
    reload: () => app?.reload(),
    close: async () => {
      abort?.abort('The user closed the app.');
      await app?.close('The user closed the app.');
    },
    setHostContext: (patch) => app?.setHostContext(patch),
    setDisplayMode: (mode) => app?.setDisplayMode(mode),
    call: () => callState,
    staged: () => staged,
    snapshot: () => app?.getSnapshot(),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
