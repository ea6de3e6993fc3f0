import { CasementError } from '@casement/protocol/start';
import { createAppFrame } from '../frame/app-frame.js';
import type { AppResources } from '../load/app-resource.js';
import { decideDisplayMode } from '../policy/decide-display-mode.js';
import { addExplained, loadTrouble } from '../state/explain.js';
import { toServerLost } from '../state/failures.js';
import { toStateContext } from '../view/family-context.js';
import { createFrameListener } from '../frame/frame-listener.js';
import { createAppServices } from '../leg/app-services.js';
import { createHandlerContext, isServed } from '../handlers/handler-context.js';
import { createHandshake } from '../leg/handshake.js';
import type { SessionLimits } from '../limits.js';
import type { EarlyRead } from '../load/app-loader.js';
import { createAppLoader } from '../load/app-loader.js';
import type { ServerEvent } from '@casement/protocol/ports';
import { createSessionContext } from '../view/host-context.js';
import type { MountedApp, SessionOptions } from '../session-options.js';
import type { SessionRecorder } from '../state/session-recorder.js';
import type { SessionEvent, SessionState } from '../state/session-state.js';
import type { SessionStore } from '../state/session-store.js';
import { createAppSizing } from '../view/app-size.js';
import { createSessionView } from '../view/session-view.js';
import { createStepTimer } from './step-timer.js';
import { createUnderWay } from './under-way.js';
import type { Surface } from '../surface.js';
import { createToolDelivery } from '../call/tool-delivery.js';
import type { Seen } from '../evidence/view-state.js';

/** What acts on the app: loaded on demand, one per session, for all its documents. */
export interface LiveSession extends Omit<MountedApp, 'getSnapshot' | 'subscribe' | 'stop' | 'close'> {
  load(early?: EarlyRead): void;
  /** Does what a change of state entails. */
  onTransition(previous: SessionState, state: SessionState, event: SessionEvent): void;
  /** Takes an event of the server; changes of its lists are handled by the services. */
  hear(event: ServerEvent): void;
  setSurfaceContext(context: Surface['context']): void;
  /** Asks an app that is being closed to stop, and waits at most the teardown limit. */
  leave(reason?: string): Promise<void>;
  isBusy(): boolean;
  evict(reason: string, hasActed: boolean): Promise<boolean>;
  restore(): void;
  /** Frames, timers and listeners go; nothing happens afterwards. */
  end(): void;
}

/** What a session has before it is live. */
interface LiveOptions {
  readonly options: SessionOptions;
  readonly surface: Surface;
  readonly limits: SessionLimits;
  readonly recorder: SessionRecorder;
  readonly store: SessionStore;
  readonly resources: AppResources;
  close(reason?: string): Promise<void>;
}

/**
 * Makes what acts on the app of one session, each part from those above it:
 *
 *   context, frame → view, sizing             where the app stands, how large, and what it is told about that
 *   handling       → handshake → services     what answers the app: requests, its tools, its server's changes
 *   timer, delivery                           what waits for the app, and what it is told about its tool
 *   listener                                  what the frame reports; the rest of what the app says goes to services
 *   loader                                    reads the resource and mounts the frame, which opens a leg to services
 */
export const createLiveSession = (parts: LiveOptions): LiveSession => {
  const { options, surface, limits, recorder, store } = parts;
  let failing = new AbortController();
  let closing = new AbortController();
  let isReloading = false;
  let mountNotBefore = 0;
  let wasHung = false;
  /** What the user would miss of the app's page: given back to the next document that is the same one. */
  let viewState: unknown = options.viewState;

  const isReady = (): boolean => store.state.status === 'ready';
  const context = createSessionContext(options, surface);
  const frame = createAppFrame(parts);
  const view = createSessionView({ context, frame, store });
  const sizing = createAppSizing({ context, surface, store, maxHeight: limits.maxHeight });
  const underWay = createUnderWay(surface);
  const handling = createHandlerContext({
    ...parts,
    context,
    frame,
    view,
    failed: () => failing.signal,
    closing: () => closing.signal,
    during: underWay.during,
  });
  const handshake = createHandshake(handling, { context, frame, view, store });
  const services = createAppServices(handling, handshake);
  const timer = createStepTimer(limits, { store, surface, askedVersion: () => handshake.askedVersion });
  const delivery = createToolDelivery({
    hasTool: options.tool !== undefined,
    recorder,
    surface,
    maxPartialLength: limits.maxPartialLength,
    addFinding: (finding) => store.addFinding(finding),
    deliver({ method, params }) {
      frame.leg?.notify(method, params);
      if (method === 'ui/notifications/tool-input') store.reach('input');
      if (method === 'ui/notifications/tool-result') store.reach('result');
    },
  });
  const listener = createFrameListener({ store, recorder, frame, sizing, limits, pass: services.receive });
  const loader = createAppLoader({
    ...parts,
    frame,
    sizing,
    openLeg: (transport) => services.openLeg(transport, listener.receive),
    mountNotBefore: () => mountNotBefore,
  });

  const renew = (): void => {
    underWay.clear();
    sizing.renew();
    listener.renew();
  };
  /** What was found in the document before. */
  const forget = (): void => {
    const { mode } = store.getSnapshot().evidence;
    const found = { findings: [], violations: [], dropped: 0, scriptErrors: [] };
    store.update({ ...found, evidence: { mode, items: [], left: 0 }, sizes: [] });
  };

  const giveView = async (): Promise<void> => {
    const given = viewState;
    viewState = undefined;
    const { giveViewState } = await loadTrouble();
    giveViewState(given, { store, surface, recorder, plan: frame.plan, of: options.viewStateOf });
  };
  const readView = async (): Promise<Seen> => {
    const { readViewState } = await loadTrouble();
    const seen = await readViewState({ store, surface, recorder, plan: frame.plan });
    if (seen.viewState !== undefined) options.onViewState?.(seen.viewState);
    return seen;
  };

  const onHandshake = (previous: SessionState, state: SessionState, event: SessionEvent): void => {
    const isHandOver = previous.status === 'loading' || previous.status === 'sandbox';
    const isNewEpoch = previous.epoch !== state.epoch;
    if (!isHandOver && !isNewEpoch) return;
    timer.limitHandshake();
    if (isHandOver) loader.handOver();
    if (!isNewEpoch) return;
    delivery.shut();
    renew();
    if (event.type === 'loader-ready') frame.renewLeg();
  };

  const onFailed = (previous: SessionState, code: string): void => {
    timer.clear();
    failing.abort(new CasementError('session-closed', 'The session failed.'));
    // An empty place must not cover the page.
    if (context.displayMode !== 'inline') view.setDisplayMode('inline');
    const isThere = previous.status === 'ready' && !codesWithoutTeardown.has(code);
    const { run } = loader;
    // It misbehaved, and can save nothing any more: a word of farewell is all it gets.
    const asked = isThere ? frame.askTeardown(code, { ms: briefMs(limits) }) : Promise.resolve();
    // A restart meanwhile has frames of its own, which are not to be removed here.
    void asked.then(() => (run === loader.run ? frame.unmount() : undefined));
  };

  store.update({ hostContext: context.current(), displayMode: context.displayMode });
  if (options.toolInput) delivery.input(options.toolInput);
  if (options.evidence === 'full' && !options.evidenceScript)
    addExplained(store, ({ noEvidenceScript }) => noEvidenceScript);

  return {
    load: (early) => void loader.load(early),
    onTransition(previous, state, event) {
      if (event.type === 'mounted' && frame.plan) {
        timer.limitSandbox(frame.plan.frame);
        // Takes a browser a while the first time: as long as the frame takes to come.
        context.learnLanguage();
        view.tellContext();
      }
      if (event.type === 'proxy-ready') timer.clear();
      if (event.type === 'close') {
        wasHung = isHung(previous);
        closing.abort(new CasementError('session-closed', 'The app is being closed.'));
      }
      if (isHung(previous) && state.status !== 'ready') mountNotBefore = Date.now() + hungProcessCooldownMs;
      if (event.type === 'evicted')
        closing.abort(new CasementError('session-closed', 'The app gives up its frame.'));
      if (event.type === 'restored') closing = new AbortController();
      if (event.type === 'restart') viewState = undefined;
      if (event.type === 'restart' || event.type === 'restored') void loader.load();
      if (state.status === 'handshake') onHandshake(previous, state, event);
      if (state.status === 'ready' && previous.status !== 'ready') {
        timer.clear();
        view.tellContext();
        delivery.open();
        listener.appReady();
        services.appReady();
        if (viewState !== undefined) void giveView();
      }
      if (isServed(previous) && !isServed(state)) services.appGone();
      if (state.status !== 'loading' && state.status !== 'sandbox' && state.status !== 'handshake') {
        loader.endTurn();
      }
      if (state.status === 'failed') onFailed(previous, state.failure.code);
    },
    hear(event) {
      if (event.type !== 'lost') return services.hear(event);
      delivery.serverLost(event.reason);
      const step = store.state.status === 'loading' ? 'resource' : 'running';
      store.dispatch({ type: 'server-lost', failure: toServerLost(event.reason, step) });
    },
    sendToolInputPartial: delivery.partial,
    sendToolInputText: delivery.text,
    sendToolInput: delivery.input,
    sendToolResult: delivery.result,
    sendToolCancelled: delivery.cancel,
    sendHostContextChanged(patch) {
      context.patch(patch);
      view.tellContext();
    },
    setSurfaceContext(patch) {
      context.patchSurface(patch);
      view.tellContext();
    },
    setWidgetState(state) {
      store.update({ widgetState: state });
      // Past the comparison with what the app was told: what it set itself meanwhile was never told.
      if (isReady() && store.getSnapshot().resource?.family === 'openai')
        frame.leg?.notify('ui/notifications/host-context-changed', toStateContext(state));
    },
    setDisplayMode(mode) {
      // Out of sight for good.
      if (store.state.status === 'tearing-down') return;
      const decision = decideDisplayMode(mode, context.offered, handling.displayMode.declared());
      recorder.decision('display-mode', decision, { mode, by: 'embedder' });
      if (decision.allow && mode !== context.displayMode) view.setDisplayMode(mode);
    },
    readView: async () => (isReady() ? (await readView()).viewState : undefined),
    async fetchFromApp(url) {
      const { fetchFromApp } = await loadTrouble();
      return fetchFromApp(url, { surface, plan: frame.plan });
    },
    callAppTool: (...call) => underWay.during('app-tool', () => services.callAppTool(...call)),
    reload() {
      if (isReloading) return;
      isReloading = true;
      // The user looks at the app meanwhile: they wait for one that saves, not for one that does nothing.
      const wait = { ms: limits.teardownMs, quietMs: briefMs(limits) };
      const wasReady = isReady();
      const asked = wasReady ? frame.askTeardown('reload', wait) : Promise.resolve();
      void asked.then(() => {
        isReloading = false;
        // The app may have been closed meanwhile, or stopped: the later wish counts.
        if (store.state.status === 'closed' || store.state.status === 'tearing-down') return;
        if (wasReady && isStopped(store.state)) return;
        frame.unmount();
        failing = new AbortController();
        delivery.shut();
        renew();
        forget();
        store.dispatch({ type: 'restart' });
      });
    },
    isBusy: underWay.holds,
    async evict(reason, hasActed) {
      const { epoch } = store.state;
      const wasReady = isReady();
      const seen = wasReady ? await readView() : undefined;
      // Something else may have begun, or ended the app, meanwhile.
      if (wasReady !== isReady() || store.state.epoch !== epoch) return false;
      if (seen?.isPlaying || underWay.holds()) return false;
      const loses = hasActed && !seen?.keeps && store.getSnapshot().widgetState === undefined;
      if (!store.dispatch({ type: 'evicted', eviction: { reason, loses } })) return false;
      // The reader waits for the room: for an app that saves, not for one that does nothing.
      const wait = { ms: limits.teardownMs, quietMs: briefMs(limits) };
      if (wasReady && (await frame.askTeardown(reason, wait))) {
        store.dispatch({ type: 'torn-down' });
        await new Promise((resolve) => setTimeout(resolve, lateMessageGraceMs));
      }
      // It may have been closed or reloaded meanwhile: then the frame is no longer ours to take away.
      if (store.state.status !== 'evicted') return true;
      store.dispatch({ type: 'torn-down' });
      viewState = seen?.viewState;
      loader.stop();
      timer.clear();
      frame.unmount();
      delivery.shut();
      renew();
      forget();
      return true;
    },
    restore: () => void store.dispatch({ type: 'restored' }),
    async leave(reason) {
      timer.clear();
      const { state } = store;
      if (state.status !== 'tearing-down' || !state.initialized) return;
      // A thread that hangs answers nobody, and the next app of this origin would have to share it.
      const ms = wasHung ? briefMs(limits) : limits.teardownMs;
      if (options.onViewState && !wasHung) await readView();
      if (!(await frame.askTeardown(reason, { ms }))) return;
      store.dispatch({ type: 'torn-down' });
      // What the app sent right behind its answer is still to come: it is refused and recorded, not lost.
      await new Promise((resolve) => setTimeout(resolve, lateMessageGraceMs));
    },
    end() {
      loader.stop();
      timer.clear();
      delivery.stop();
      renew();
      frame.unmount();
    },
  };
};

/** How long to wait for an app that is not known to be at work. */
const briefMs = ({ teardownMs }: SessionLimits): number => Math.min(500, teardownMs);

/** How long an app that has said goodbye is still heard, on its way through another process. */
const lateMessageGraceMs = 50;

/**
 * A browser keeps the process of a removed frame for a moment, to use it again; the same app, mounted in that moment,
 * would hang in the loop of its predecessor.
 */
const hungProcessCooldownMs = 4_000;

const isHung = (state: SessionState): boolean => 'silence' in state && state.silence !== undefined;

const isStopped = (state: SessionState): boolean =>
  state.status === 'failed' && state.failure.code === 'app-stopped';

/** Failures after which there is nobody to ask, or nobody who would answer. */
const codesWithoutTeardown: ReadonlySet<string> = new Set([
  'app-navigated',
  'proxy-restarted',
  'app-crashed',
  'app-stopped',
  'keyboard-taken',
]);
