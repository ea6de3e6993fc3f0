import type { EvidenceMode } from '@casement/protocol';
import { CasementError, displayModes } from '@casement/protocol/start';
import { createAppResources } from '../load/app-resources.js';
import type { SessionFailure } from '../state/session-state.js';
import { defaultLimits } from '../limits.js';
import { throwCodeMissing, toCodeMissing } from '../missing-code.js';
import type { LiveSession } from './live-session.js';
import type { EarlyRead } from '../load/app-loader.js';
import type { MountedApp, SessionOptions } from '../session-options.js';
import { createSessionRecorder } from '../state/session-recorder.js';
import { createSessionStore } from '../state/session-store.js';
import type { Surface } from '../surface.js';

/** One app on one surface. */
export interface Session extends MountedApp {
  start(): void;
  /** The page's own part of the context changed: its theme, its room. */
  setSurfaceContext(context: Surface['context']): void;
  /** Ends the session because the frames are gone, or must go, before the app could answer the teardown. */
  skipTeardown(cause: SkipCause): void;
  /** Something the surface noticed, for the recording. */
  note(kind: 'dropped' | 'finding', raw: Record<string, unknown>): void;
  /** Something the surface noticed ends the app at once. */
  fail(failure: SessionFailure): void;
  /** Whether a call or a question of the app is under way, or a call of one of its tools. */
  isBusy(): boolean;
  /**
   * Takes the frame away to make room for others, once the app has stopped; false when it has to stay, because
   * something of it is under way or plays. `hasActed`: the user did something in it.
   */
  evict(reason: string, hasActed: boolean): Promise<boolean>;
  /** Brings an evicted app back. */
  restore(): void;
}

/** Why an app was not asked to stop, or not waited for: the last three end one that was saying goodbye. */
type SkipCause = 'pagehide' | 'removed-by-others' | 'stopped' | 'keyboard-taken' | 'too-many';

/**
 * Creates a session: its state and its controls, which every page loads. The code that acts on the app
 * (live-session.ts) is loaded when the session starts, beside the surface where that is loaded too; calls made before
 * that are queued and then run in order.
 */
export const createSession = (
  options: SessionOptions,
  surface: Surface | (() => Promise<Surface>),
): Session => {
  const { server } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const id = createSessionId();
  const recorder = createSessionRecorder(options.recording, id, () => store.state.epoch);
  const resources =
    options.resources ??
    createAppResources(server, { maxBytes: limits.maxHtmlBytes, timeoutMs: limits.resourceMs });
  const waiting: ((live: LiveSession) => void)[] = [];
  let live: LiveSession | undefined;
  let isComing = false;
  let early: EarlyRead | undefined;
  let text: string | undefined;
  let closing: Promise<void> | undefined;

  const store = createSessionStore({
    session: id,
    details: {
      // The app's own view of its place is put together with the rest, on demand.
      hostContext: {},
      displayMode: displayModes.find((mode) => mode === options.hostContext?.displayMode) ?? 'inline',
      findings: [],
      violations: [],
      dropped: 0,
      prewarmed: false,
      scriptErrors: [],
      evidence: { mode: toEvidenceMode(options), items: [], left: 0 },
      times: {},
      sizes: [],
      appTools: [],
      dialects: [],
    },
    recorder,
    onTransition: (previous, state, event) => live?.onTransition(previous, state, event),
  });
  const tell = (action: (live: LiveSession) => void): void => {
    if (live) action(live);
    else if (store.state.status !== 'closed') waiting.push(action);
  };
  const unsubscribe = server.subscribe((event) => tell((session) => session.hear(event)));

  let limit: ReturnType<typeof setTimeout> | undefined;
  const bring = async (): Promise<void> => {
    clearTimeout(limit);
    // Code that neither comes nor fails is as good as missing; what comes later serves a reload.
    limit = setTimeout(() => store.failWith(toCodeMissing()), limits.resourceMs);
    if (isComing) return;
    isComing = true;
    try {
      const [{ createLiveSession }, place] = await Promise.all([
        import('../loaded/first-parts.js').catch(throwCodeMissing),
        typeof surface === 'function' ? surface() : surface,
      ]);
      if (store.state.status === 'closed') return;
      live = createLiveSession({ options, surface: place, limits, recorder, store, resources, close });
      if (text !== undefined) live.sendToolInputText(text);
      for (const action of waiting.splice(0)) action(live);
      if (store.state.status === 'loading') live.load(early);
      early = undefined;
    } catch (error) {
      store.failWith(error);
    }
    clearTimeout(limit);
    isComing = false;
  };

  const remove = (): void => {
    clearTimeout(limit);
    live?.end();
    waiting.length = 0;
    unsubscribe();
    // A cache that was given is shared and outlives the session.
    if (!options.resources) resources.close();
    store.dispatch({ type: 'removed' });
  };

  const fail = (failure: SessionFailure): void => void store.dispatch({ type: 'fail', failure });

  const skipTeardown = (cause: SkipCause): void => {
    if (store.state.status === 'closed') return;
    recorder.lifecycle('teardown-skipped', { cause });
    // A page that is left may come back.
    if (cause !== 'pagehide') remove();
  };

  const close = (reason?: string): Promise<void> =>
    (closing ??= (async () => {
      store.dispatch({ type: 'close' });
      await live?.leave(reason);
      if (store.state.status !== 'closed') remove();
    })());

  return {
    getSnapshot: store.getSnapshot,
    subscribe: store.subscribe,
    note: recorder.note,
    start() {
      recorder.lifecycle('session', {
        server: server.name,
        ...(options.tool ? { tool: options.tool.name } : {}),
      });
      if (!store.dispatch({ type: 'start' })) return;
      const uri = options.embedded || options.family ? undefined : toLikelyUri(options);
      if (uri !== undefined) {
        early = { uri, known: resources.peek(uri), reading: resources.read(uri) };
        // Whoever takes it up reports a failure.
        early.reading.catch(() => undefined);
      }
      void bring();
    },
    sendToolInputPartial: (args) => tell((session) => session.sendToolInputPartial(args)),
    sendToolInputText(textSoFar) {
      // Each text holds the ones before it, so only the last one waits.
      if (live) live.sendToolInputText(textSoFar);
      else text = textSoFar;
    },
    sendToolInput: (args) => tell((session) => session.sendToolInput(args)),
    sendToolResult: (result) => tell((session) => session.sendToolResult(result)),
    sendToolCancelled: (reason) => tell((session) => session.sendToolCancelled(reason)),
    sendHostContextChanged: (patch) => tell((session) => session.sendHostContextChanged(patch)),
    setSurfaceContext: (patch) => tell((session) => session.setSurfaceContext(patch)),
    setWidgetState: (state) => tell((session) => session.setWidgetState(state)),
    setDisplayMode: (mode) => tell((session) => session.setDisplayMode(mode)),
    callAppTool: (name, args, settings) =>
      live?.callAppTool(name, args, settings) ??
      Promise.reject(new CasementError('session-closed', 'The app is not there.')),
    readView: async () => live?.readView(),
    fetchFromApp: async (url) => live?.fetchFromApp(url) ?? { refused: 'The app is not there.' },
    reload() {
      if (closing) return;
      if (live) return live.reload();
      early = undefined;
      if (store.dispatch({ type: 'restart' })) void bring();
    },
    stop() {
      if (store.state.status === 'tearing-down') skipTeardown('stopped');
      else fail(appStopped);
    },
    fail,
    close,
    skipTeardown,
    isBusy: () => live?.isBusy() ?? false,
    evict: async (reason, hasActed) => (await live?.evict(reason, hasActed)) ?? false,
    restore: () => live?.restore(),
  };
};

/** Nothing is reported in full without the script that does so. */
const toEvidenceMode = ({ evidence = 'errors', evidenceScript }: SessionOptions): EvidenceMode =>
  evidence === 'full' && !evidenceScript ? 'errors' : evidence;

const appStopped: SessionFailure = {
  step: 'running',
  code: 'app-stopped',
  message: 'The app was stopped.',
  hint: 'Reload the app to start it again.',
};

/**
 * The address in its usual place, so that the read can begin at once. Only what is plainly one: whatever else stands
 * there is judged first, as an address that is refused is never fetched.
 */
const toLikelyUri = ({ tool, resourceUri }: SessionOptions): string | undefined => {
  // Whatever a server wrote there: only a string in the one place of the spec counts here.
  const ui = tool?._meta?.ui as { resourceUri?: unknown } | null | undefined;
  const uri = resourceUri ?? ui?.resourceUri;
  const isPlain =
    typeof uri === 'string' && /^ui:\/\/[\w~.:/-]{1,999}$/.test(uri) && !/\/\.\.?(?:\/|$)/.test(uri);
  return isPlain ? uri : undefined;
};

/** Not crypto.randomUUID: a page on plain http that is not loopback does not have it. */
const createSessionId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36).padStart(2, '0')).join(
    '',
  );
