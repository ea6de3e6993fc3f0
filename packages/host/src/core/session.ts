import type { PeerNotification } from '@casement/protocol';
import { CasementError, createRecording, LATEST_PROTOCOL_VERSION } from '@casement/protocol/basics';
import { createAppFrame } from './app-frame.js';
import type { SessionFailure } from './app-snapshot.js';
import { toRefusal } from './decision.js';
import { decideDisplayMode } from './display-mode-policy.js';
import type { FrameFailures } from './frame-failures.js';
import type { FramePlan } from './frame-plan.js';
import type { HandlerContext } from './handlers/handler-context.js';
import { defaultLimits } from './limits.js';
import { createLoadWatch } from './load-watch.js';
import { createOutbox } from './outbox.js';
import { watchServer } from './server-watch.js';
import { createSessionContext } from './session-context.js';
import { toServerLost } from './session-failure.js';
import { createSessionLoader } from './session-loader.js';
import type { AppControls, AppOptions } from './session-options.js';
import { createSessionRecorder } from './session-recorder.js';
import type { SessionEvent, SessionState } from './session-state.js';
import { createSessionStore } from './session-store.js';
import { createSessionView } from './session-view.js';
import { createStepTimer } from './step-timer.js';
import type { Surface } from './surface.js';
import { createToolList } from './tool-list.js';
import { toDeliverableResult } from './tool-result.js';

/** One app on one surface. */
export interface Session extends AppControls {
  start(): void;
  /** The page's own part of the context changed: its theme, its room. */
  setSurfaceContext(context: Surface['context']): void;
  /** The frames are gone, or going, without the app having been asked. */
  skipTeardown(cause: 'pagehide' | 'removed-by-others'): void;
  /** Something the surface noticed, for the recording. */
  note(kind: 'dropped' | 'finding', raw: Record<string, unknown>): void;
}

const maxViolations = 200;

/** Wires peer, outbox, policy and handlers to a surface; messages in, effects out. */
export const createSession = (options: AppOptions, surface: Surface): Session => {
  const limits = { ...defaultLimits, ...options.limits };
  const { server } = options;
  const id = toSessionId();
  const recorder = createSessionRecorder(
    options.recording ?? createRecording({ writer: 'page' }),
    id,
    () => store.state.epoch,
  );
  const context = createSessionContext(options, surface);
  const tools = createToolList(server);
  let failing = new AbortController();
  let closing: Promise<void> | undefined;
  let isReloading = false;

  /** Only what a frame sent can lead here, so there is a plan and with it the words. */
  const fail = (toFailure: (words: FrameFailures) => SessionFailure): void => {
    if (frame.plan) store.dispatch({ type: 'fail', failure: toFailure(frame.plan.failures) });
  };
  const isReady = (): boolean => store.state.status === 'ready';
  const declaredModes = () => store.getSnapshot().appCapabilities?.availableDisplayModes;

  const handlerContext: HandlerContext = {
    options,
    surface,
    recorder,
    tools,
    limits,
    get failed() {
      return failing.signal;
    },
    isServing: () => isReady() || (store.state.status === 'tearing-down' && store.state.initialized),
    ownPlaces: () => ({
      origins: [...surface.origins, ...(options.denyOrigins ?? []), ...toOrigins(frame.plan)],
      suffixes: 'base' in options.sandbox ? [new URL(options.sandbox.base).hostname] : [],
    }),
    app: () => {
      const { appInfo, resource } = store.getSnapshot();
      return { server: server.name, resource: resource?.uri ?? '', ...(appInfo ? { info: appInfo } : {}) };
    },
    enforce(method, decision, details) {
      recorder.decision(method, decision, details);
      if (decision.allow) return;
      const { code, reason, hint } = decision;
      store.find({ code, message: reason, fix: hint, path: method });
      throw toRefusal(decision);
    },
    notify: (method, params) => frame.leg?.notify(method, params),
    request: (method, params, settings) =>
      frame.leg?.request(method, params, settings) ?? Promise.reject(toClosed()),
    snapshot: () => store.getSnapshot(),
    update: (details) => store.update(details),
    find: (finding) => store.find(finding),
    close: (reason) => void close(reason),
    initialize: (params, toCapabilities) => initialize(params, toCapabilities),
    resize: (report) => view.resize(report),
    displayMode: {
      current: () => context.displayMode,
      offered: () => context.offered,
      declared: declaredModes,
      apply: (mode) => view.setDisplayMode(mode),
    },
  };
  const frame = createAppFrame(surface, recorder);
  const timer = createStepTimer(limits, {
    store: () => store,
    plan: () => frame.plan,
  });
  const loader = createSessionLoader({
    options,
    limits,
    surface,
    recorder,
    timer,
    frame,
    handling: handlerContext,
    receive: (notification) => receive(notification),
    store: () => store,
  });
  const view = createSessionView({
    context,
    frame,
    surface,
    maxHeight: limits.maxHeight,
    store: () => store,
  });
  const outbox = createOutbox(({ method, params }) => frame.leg?.notify(method, params));
  const loads = createLoadWatch({
    leg: () => frame.leg,
    isReady,
    pingMs: limits.pingMs,
    onGone: () => fail(({ appNavigated }) => appNavigated),
  });

  const onTransition = (previous: SessionState, state: SessionState, event: SessionEvent): void => {
    if (event.type === 'proxy-ready') timer.clear();
    if (event.type === 'start' || event.type === 'restart') void loader.load();
    if (state.status === 'handshake') onHandshake(previous, state, event);
    if (state.status === 'ready' && previous.status !== 'ready') {
      timer.clear();
      view.tellContext();
      outbox.open();
      loads.appReady();
      loader.services?.appReady();
    }
    if (previous.status === 'ready' && state.status !== 'tearing-down') loader.services?.appGone();
    if (state.status === 'failed') onFailed(previous, state.failure.code);
  };

  const onHandshake = (previous: SessionState, state: SessionState, event: SessionEvent): void => {
    const isHandOver = previous.status === 'loading' || previous.status === 'sandbox';
    const isNewEpoch = previous.epoch !== state.epoch;
    if (!isHandOver && !isNewEpoch) return;
    timer.limitHandshake();
    if (isHandOver) loader.handOver();
    if (!isNewEpoch) return;
    outbox.shut();
    view.renew();
    if (event.type === 'loader-ready') frame.renewLeg();
  };

  const onFailed = (previous: SessionState, code: string): void => {
    timer.clear();
    failing.abort(new CasementError('session-closed', 'The session failed.'));
    // An empty place must not cover the page.
    if (context.displayMode !== 'inline') view.setDisplayMode('inline');
    const isThere = previous.status === 'ready' && !unaskable.has(code);
    const { run } = loader;
    const asked = isThere ? frame.askTeardown(code, limits.teardownMs) : Promise.resolve();
    // A restart meanwhile has frames of its own, which are not to be removed here.
    void asked.then(() => (run === loader.run ? frame.unmount() : undefined));
  };

  const store = createSessionStore({
    session: id,
    details: {
      hostContext: context.current(),
      displayMode: context.displayMode,
      findings: [],
      violations: [],
      dropped: 0,
      prewarmed: false,
      scriptErrors: [],
      appTools: [],
      dialects: [],
    },
    recorder,
    onTransition,
  });

  const initialize: HandlerContext['initialize'] = (params, toCapabilities) => {
    const { appInfo, appCapabilities } = params;
    if (!store.dispatch({ type: 'initialize' })) {
      throw new CasementError('session-closed', 'This app is not being started.');
    }
    const hostCapabilities = toCapabilities(frame.plan?.policy);
    options.onInitialize?.(params);
    store.update({ appInfo, appCapabilities, hostCapabilities });
    // HOST-048: an app that declares its modes is never in another one, from the first moment.
    const declared = appCapabilities.availableDisplayModes;
    const fitting = context.offered.find((mode) => declared?.includes(mode));
    if (fitting && !declared?.includes(context.displayMode)) view.setDisplayMode(fitting);
    return {
      protocolVersion: LATEST_PROTOCOL_VERSION,
      hostInfo: options.hostInfo ?? { name: 'casement', version: '0.1.0' },
      hostCapabilities,
      hostContext: view.introduce(),
    };
  };

  const receive = (notification: PeerNotification): void => {
    switch (notification.method) {
      case 'ui/notifications/initialized':
        store.dispatch({ type: 'initialized' });
        return;
      case 'ui/notifications/sandbox-proxy-ready':
        store.dispatch({ type: 'proxy-ready' });
        return;
      case 'ui/notifications/sandbox-loader-ready':
        loads.loaderReady();
        store.dispatch({ type: 'loader-ready' });
        return;
      case 'ui/notifications/sandbox-frame-loaded':
        store.dispatch({ type: 'frame-loaded' });
        loads.frameLoaded(notification.params.left === true);
        return;
      case 'ui/notifications/sandbox-violation': {
        // What the guest's page says of itself can be forged.
        recorder.note('violation', { ...notification.params, source: 'guest' });
        const violations = [...store.getSnapshot().violations, notification.params];
        store.update({ violations: violations.slice(-maxViolations) });
        return;
      }
      case 'ui/notifications/sandbox-dropped': {
        recorder.note('dropped', notification.params);
        const dropped = store.getSnapshot().dropped + notification.params.count;
        store.update({ dropped });
        if (dropped > limits.maxDropped) fail(({ toFlooding }) => toFlooding(dropped));
        return;
      }
      default:
        loader.services?.receive(notification);
    }
  };

  const unwatch = watchServer(server, {
    onToolsStale: () => tools.invalidate(),
    toolsChanged() {
      if (isReady()) frame.leg?.notify('notifications/tools/list_changed', {});
    },
    resourcesChanged() {
      if (isReady()) frame.leg?.notify('notifications/resources/list_changed', {});
    },
    lost(reason) {
      outbox.cancel(`The server was lost: ${reason}`);
      const step = store.state.status === 'loading' ? 'resource' : 'running';
      store.dispatch({ type: 'server-lost', failure: toServerLost(reason, step) });
    },
  });

  const noteDelivery = (what: string, isTaken: boolean): void => {
    if (!isTaken) recorder.note('dropped', { reason: 'out of order', what });
  };

  const remove = (): void => {
    loader.stop();
    timer.clear();
    frame.unmount();
    unwatch();
    store.dispatch({ type: 'removed' });
  };

  const close = (reason?: string): Promise<void> => {
    closing ??= (async () => {
      const wasReady = isReady();
      timer.clear();
      store.dispatch({ type: 'close' });
      if (wasReady) await frame.askTeardown(reason, limits.teardownMs);
      if (store.state.status !== 'closed') remove();
    })();
    return closing;
  };

  return {
    getSnapshot: store.getSnapshot,
    subscribe: store.subscribe,
    note: recorder.note,
    start() {
      recorder.lifecycle('session', {
        server: server.name,
        ...(options.tool ? { tool: options.tool.name } : {}),
      });
      if (options.toolInput) outbox.input(options.toolInput);
      store.dispatch({ type: 'start' });
    },
    sendToolInputPartial: (args) => noteDelivery('tool-input-partial', outbox.partial(args)),
    sendToolInputText: () => noteDelivery('tool-input-text', false),
    sendToolInput: (args) => noteDelivery('tool-input', outbox.input(args)),
    sendToolResult: (result) =>
      noteDelivery('tool-result', outbox.result(toDeliverableResult(result, recorder))),
    cancelTool: (reason) => noteDelivery('tool-cancelled', outbox.cancel(reason)),
    setHostContext(patch) {
      context.patch(patch);
      view.tellContext();
    },
    setSurfaceContext(patch) {
      context.patchSurface(patch);
      view.tellContext();
    },
    setDisplayMode(mode) {
      const decision = decideDisplayMode(mode, context.offered, declaredModes());
      recorder.decision('display-mode', decision, { mode, by: 'embedder' });
      if (decision.allow && mode !== context.displayMode) view.setDisplayMode(mode);
    },
    reload() {
      if (isReloading || closing) return;
      isReloading = true;
      const asked = isReady() ? frame.askTeardown('reload', limits.teardownMs) : Promise.resolve();
      void asked.then(() => {
        isReloading = false;
        if (closing) return;
        frame.unmount();
        failing = new AbortController();
        outbox.shut();
        view.renew();
        store.update({ findings: [], violations: [], dropped: 0 });
        store.dispatch({ type: 'restart' });
      });
    },
    callAppTool: (name, args, settings) =>
      loader.services?.callAppTool(name, args, settings) ?? Promise.reject(toClosed()),
    stop: () => fail(({ appStopped }) => appStopped),
    close,
    skipTeardown(cause) {
      if (store.state.status === 'closed') return;
      recorder.lifecycle('teardown-skipped', { cause });
      if (cause === 'removed-by-others') remove();
    },
  };
};

/** Failures after which there is nobody to ask, or nobody who would answer. */
const unaskable: ReadonlySet<string> = new Set([
  'app-navigated',
  'proxy-restarted',
  'app-crashed',
  'app-stopped',
]);

const toClosed = (): CasementError => new CasementError('session-closed', 'The app is not there.');

const toOrigins = (plan: FramePlan | undefined): string[] =>
  plan ? [plan.frame.origin, ...(plan.appOrigin === 'null' ? [] : [plan.appOrigin])] : [];

/** Not crypto.randomUUID: a page on plain http that is not loopback does not have it. */
const toSessionId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36).padStart(2, '0')).join(
    '',
  );
