import type { MountAppOptions, MountedApp } from '@casement/host';
import { openAppDialog } from '@casement/host/dialogs';
import { sizeOfResult } from '@casement/protocol/ports';
import { isUIResource } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import { readToolUi } from '@casement/protocol/resource';
import type { ChosenForApp } from './app-choices.js';
import { createAppChoices } from './app-choices.js';
import { developersWords } from './developers-words.js';
import { createStageAhead } from './stage-ahead.js';
import { waitUntilSettled } from './stage-element.js';
import type { AppHistory, CallState, Stage, StagedCall, StagedTool, StageSettings } from './stage-types.js';
import { streamText } from './stream-arguments.js';
import type { PaceName } from '../address/view-settings.js';
import { createListeners } from '../store.js';

/** How long a running app shows nothing new until the frames for its next run may be made. */
const quietMs = 1_500;

/** What an app that is shown anew keeps of the one before. */
type Kept = Pick<MountAppOptions, 'viewState' | 'viewStateOf' | 'widgetState'>;

const noHistory: AppHistory = { contextUpdates: 0, askedToClose: false };

const toCasementError = (error: unknown): CasementError =>
  error instanceof CasementError
    ? error
    : new CasementError('internal', error instanceof Error ? error.message : String(error), { cause: error });

/** Creates the stage: it mounts apps in an element of the page, and makes the calls that feed them. */
export const createStage = (container: HTMLElement): Stage => {
  const { subscribe, tell } = createListeners();
  const choices = createAppChoices();
  const ahead = createStageAhead(container);
  let app: MountedApp | undefined;
  /** The last dialog of the app; one that has ended ignores what it is sent. */
  let dialog: ReturnType<typeof openAppDialog> | undefined;
  let stopListening: (() => void) | undefined;
  let callState: CallState = { status: 'none' };
  let abort: AbortController | undefined;
  let staged: StagedCall | undefined;
  let chosen: ChosenForApp | undefined;
  let mountedWith: StageSettings | undefined;
  /** The UI inside the tool's result, if the tool itself names none. */
  let embedded: unknown;
  let history = noHistory;
  // Counts runs: what an earlier run still brings in is not for the app of a later one (B27).
  let runs = 0;
  let callId = '';
  let hasMessages = true;
  /** What the app on the stage was given of the one before. */
  let keptView: unknown;
  let quiet: ReturnType<typeof setTimeout> | undefined;

  const setCall = (next: CallState): void => {
    callState = next;
    tell();
  };

  /** Takes the last app off the stage. It closes out of sight: nobody waits for it or listens to it any more. */
  const clear = (reason: string): void => {
    clearTimeout(quiet);
    stopListening?.();
    void dialog?.end(reason);
    void app?.close(reason);
    app = undefined;
    dialog = undefined;
  };

  /** What decides which app is shown, and how it is framed. */
  const toFrameOptions = (
    { port, resources, tool }: StagedTool,
    settings: StageSettings,
    chosenFor: ChosenForApp | undefined,
  ): MountAppOptions => ({ ...settings, server: port, resources, tool, ...chosenFor });

  /**
   * Has frames ready for the next run of an app that runs well. They share its origin, and so its thread: while somebody
   * works in the app, nothing is loaded there.
   */
  const followApp = (mounted: MountedApp, options: MountAppOptions): (() => void) => {
    let hasSpare = false;
    const makeSpare = (): void => {
      hasSpare = !container.contains(document.activeElement);
      if (hasSpare) ahead.prepareIfFree(options);
      else quiet = setTimeout(makeSpare, quietMs);
    };
    return mounted.subscribe(() => {
      tell();
      const { status, failure } = mounted.getSnapshot();
      clearTimeout(quiet);
      // On a thread that hangs nothing else gets on either.
      if (failure) ahead.drop('app-ended', options);
      else if (status === 'ready' && !hasSpare) quiet = setTimeout(makeSpare, quietMs);
    });
  };

  const mount = (call: StagedCall, settings: StageSettings, hasInput: boolean, kept: Kept = {}): void => {
    const { tool, args } = call;
    history = noHistory;
    mountedWith = settings;
    keptView = kept.viewState;
    const { onMessage, ...shared } = settings;
    const readContext = (): MountAppOptions['hostContext'] => ({
      ...mountedWith?.hostContext,
      toolInfo: { id: callId, tool },
    });
    const onModelContext = (): void => {
      if (app !== mounted) return;
      history = { ...history, contextUpdates: history.contextUpdates + 1 };
      tell();
    };
    const options: MountAppOptions = {
      ...toFrameOptions(call, shared, chosen),
      ...kept,
      hostContext: readContext(),
      ...(embedded === undefined ? {} : { embedded }),
      ...(hasInput ? { toolInput: args } : {}),
      title: `App of ${tool.title ?? tool.name}`,
      // The developer asked for it: it stays, wherever the stage is.
      presence: 'always',
      // What nobody reads can be tried without: an app must not depend on it.
      ...(hasMessages ? { ...(onMessage ? { onMessage } : {}), onModelContext } : {}),
      onRequestTeardown: () => {
        if (app === mounted) history = { ...history, askedToClose: true };
        return true;
      },
      onModal: (request) => {
        if (!app) throw new CasementError('session-closed', 'The app is gone.');
        dialog = openAppDialog(request, {
          opener: app,
          place: container,
          mounted: {
            ...options,
            hostContext: readContext(),
            toolInput: args,
            words: { chrome: developersWords },
          },
          className: 'app-dialog',
        });
        if (callState.status === 'done') dialog.app.sendToolResult(callState.result);
      },
    };
    const mounted = ahead.mount(options);
    app = mounted;
    stopListening = followApp(mounted, options);
  };

  /** Mounts the staged app in a new frame, with what it was told before; nothing is called again. */
  const showAnew = (reason: string, kept?: Kept): void => {
    if (!staged || !mountedWith) return;
    clear(reason);
    chosen = choices.of(staged);
    mount(staged, mountedWith, true, kept);
    if (callState.status === 'done') app?.sendToolResult(callState.result);
    tell();
  };

  /** Plays the arguments to the app first; what a model writes is there before anything is called. */
  const stream = async (
    { args }: StagedCall,
    pace: Exclude<PaceName, 'off'>,
    signal: AbortSignal,
  ): Promise<void> => {
    const streamed = app;
    if (!streamed) return;
    const text = JSON.stringify(args);
    const since = performance.now();
    setCall({ status: 'streaming', since, written: 0, total: text.length });
    await waitUntilSettled(streamed, signal);
    const onPiece = (piece: string): void => {
      streamed.sendToolInputText(piece);
      setCall({ status: 'streaming', since, written: piece.length, total: text.length });
    };
    await streamText(text, pace, onPiece, signal);
    signal.throwIfAborted();
    streamed.sendToolInput(args);
  };

  const settleCall = async (
    run: number,
    call: StagedCall,
    settings: StageSettings,
    pace: PaceName,
  ): Promise<void> => {
    const { port, tool, args } = call;
    const controller = new AbortController();
    abort = controller;
    let since = performance.now();
    const elapsed = (): number => Math.round(performance.now() - since);
    try {
      if (pace !== 'off') await stream(call, pace, controller.signal);
      if (run !== runs) return;
      since = performance.now();
      setCall({ status: 'running', since });
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
      if (readToolUi(tool).resourceUri === undefined && !result.isError) {
        embedded = result.content.find(isUIResource);
        if (embedded !== undefined) {
          // What the tool names may have failed already: an address that no host reads.
          await clear('The result brought an app.');
          if (run !== runs) return;
          mount(call, settings, true);
        }
      }
      for (const one of [app, dialog?.app]) one?.sendToolResult(result);
      setCall({ status: 'done', result, ms: elapsed(), bytes: sizeOfResult(result) });
    } catch (thrown) {
      if (run !== runs) return;
      const error = toCasementError(thrown);
      const cancelled = controller.signal.aborted;
      app?.sendToolCancelled(cancelled ? 'The user cancelled the call.' : error.message);
      setCall(
        cancelled ? { status: 'cancelled', ms: elapsed() } : { status: 'failed', error, ms: elapsed() },
      );
    }
  };

  const start = async (
    call: StagedCall,
    settings: StageSettings,
    pace: PaceName,
    kept?: Kept,
  ): Promise<void> => {
    runs += 1;
    const run = runs;
    callId = `call-${Date.now().toString(36)}-${run}`;
    staged = call;
    chosen = choices.of(call);
    embedded = undefined;
    abort?.abort('Another tool was run.');
    clear('Another tool was run.');
    // A call that needs no app to be played to leaves first: what an app loads would stand before it in the line.
    const isAtOnce = pace === 'off';
    const calling = isAtOnce ? settleCall(run, call, settings, pace) : undefined;
    // The app is mounted as the call starts: reading, framing and handshake run beside it.
    // One that cannot be read fails in its place, as it would elsewhere.
    const { resourceUri, broken } = readToolUi(call.tool);
    if (resourceUri !== undefined || broken !== undefined) mount(call, settings, isAtOnce, kept);
    await (calling ?? settleCall(run, call, settings, pace));
  };

  return {
    run: (call, settings, pace) => start(call, settings, pace),
    readView: async () => app?.readView(),
    renew: ({ tool, view, isRepeated }) => {
      if (!staged || !mountedWith || !app || staged.tool.name !== tool.name) return false;
      const { status, widgetState } = app.getSnapshot();
      if (status === 'closed' || status === 'tearing-down') return false;
      // An app that nobody touched may not have filled in yet what it was given.
      const viewState = view ?? keptView;
      const kept: Kept = { viewState, viewStateOf: 'earlier-version', widgetState };
      const call: StagedCall = { ...staged, tool };
      if (isRepeated) void start(call, mountedWith, 'off', kept);
      else {
        staged = call;
        showAnew('The app was changed.', kept);
      }
      return true;
    },
    prepare: (call, settings) => ahead.prepare(toFrameOptions(call, settings, choices.of(call))),
    begin: ahead.begin,
    forget: ahead.drop,
    warn: (port, warning) => {
      if (callState.status === 'running' && staged?.port === port) setCall({ ...callState, warning });
    },
    cancel: () => abort?.abort('The user cancelled the call.'),
    reload: () => app?.reload(),
    stop: () => app?.stop(),
    close: async () => {
      abort?.abort('The user closed the app.');
      await app?.close('The user closed the app.');
    },
    setHostContext: (patch) => {
      if (mountedWith)
        mountedWith = { ...mountedWith, hostContext: { ...mountedWith.hostContext, ...patch } };
      for (const one of [app, dialog?.app]) one?.sendHostContextChanged(patch);
    },
    setDisplayMode: (mode) => app?.setDisplayMode(mode),
    grant: (permissions) => {
      if (!staged || !mountedWith) return;
      choices.setPermissions(staged, permissions);
      // A permission is part of the app's address, so it takes a new frame.
      showAnew('The permissions of the app were changed.');
    },
    showAs: (family) => {
      if (!staged || [undefined, family].includes(chosen?.family)) return;
      choices.chooseFamily(staged, family);
      showAnew('The family of the app was changed.');
    },
    offerMessages: (isOffered) => {
      if (isOffered === hasMessages) return;
      hasMessages = isOffered;
      if (app) showAnew('What the app is offered was changed.');
    },
    setPlace: (place) => {
      if (!staged || !mountedWith) return;
      mountedWith = { ...mountedWith, ...place };
      showAnew('The storage of the app was changed.');
    },
    fetchFromApp: async (url) => app?.fetchFromApp(url) ?? { refused: 'No app is there.' },
    callAppTool: (...call) =>
      app?.callAppTool(...call) ?? Promise.reject(new CasementError('session-closed', 'No app is there.')),
    getSnapshot: () => ({
      call: callState,
      staged,
      snapshot: app?.getSnapshot(),
      history,
      grants: chosen?.permissions ?? [],
      family: chosen?.family,
    }),
    subscribe,
  };
};
