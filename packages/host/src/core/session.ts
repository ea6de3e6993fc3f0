import type { InitializeParams, InitializeResult, PeerNotification } from '@casement/protocol';
import { CasementError, createRecording, LATEST_PROTOCOL_VERSION } from '@casement/protocol';
import { createAppFrame } from './app-frame.js';
import { createAppResources } from './app-resource.js';
import type { AppSize } from './app-size.js';
import { createSizeGuard, toAppSize } from './app-size.js';
import { createCallGate } from './call-gate.js';
import type { FramePlan } from './frame-plan.js';
import { toFramePlan, toGranted } from './frame-plan.js';
import { createHandlers, toAnswered } from './handlers/create-handlers.js';
import type { HandlerContext } from './handlers/handler-context.js';
import { handleNotification } from './handlers/notifications.js';
import { toHostCapabilities } from './host-capabilities.js';
import { diffHostContext } from './host-context.js';
import { defaultLimits } from './limits.js';
import { loadApp } from './load-app.js';
import { createLoadWatch } from './load-watch.js';
import { createOutbox } from './outbox.js';
import { decideDisplayMode, toRefusal } from './policy.js';
import { watchServer } from './server-watch.js';
import { createSessionContext } from './session-context.js';
import { appNavigated, toFailure, toFlooding, toServerLost, toTimeoutFailure } from './session-failure.js';
import type { AppControls, AppOptions } from './session-options.js';
import { createSessionRecorder } from './session-recorder.js';
import type { SessionEvent, SessionState } from './session-state.js';
import { createSessionStore } from './session-store.js';
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
  const recording = options.recording ?? createRecording({ writer: 'page' });
  const recorder = createSessionRecorder(recording, id, () => store.state.epoch);
  const context = createSessionContext(options, surface);
  const resources =
    options.resources ??
    createAppResources(server, { maxBytes: limits.maxHtmlBytes, timeoutMs: limits.resourceMs });
  const tools = createToolList(server);

  let run = 0;
  let stepTimer: ReturnType<typeof setTimeout> | undefined;
  let failing = new AbortController();
  let acceptsHeight = createSizeGuard();
  let told = context.current();
  let closing: Promise<void> | undefined;
  let isReloading = false;

  const store = createSessionStore({
    session: id,
    details: {
      hostContext: told,
      displayMode: context.displayMode,
      violations: [],
      dropped: 0,
      prewarmed: false,
    },
    recorder: () => recorder,
    onTransition: (previous, state, event) => onTransition(previous, state, event),
  });
  const isReady = (): boolean => store.state.status === 'ready';

  const handlerContext: HandlerContext = {
    options,
    surface,
    recorder,
    tools,
    gate: createCallGate(limits.maxCallsInFlight, limits.maxCallsWaiting),
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
      if (!decision.allow) throw toRefusal(decision);
    },
    notify: (method, params) => frame.leg?.notify(method, params),
    initialize: (params) => initialize(params),
    resize: (report) => resize(report),
    displayMode: {
      current: () => context.displayMode,
      offered: () => context.offered,
      declared: () => store.getSnapshot().appCapabilities?.availableDisplayModes,
      apply: (mode) => {
        context.setDisplayMode(mode);
        store.update({ displayMode: mode });
        tellContext();
      },
    },
  };
  const handlers = createHandlers(handlerContext);
  const answered = toAnswered(handlers);
  const frame = createAppFrame(surface, recorder, handlers, (notification) => receive(notification));
  const outbox = createOutbox(({ method, params }) => frame.leg?.notify(method, params));
  const loads = createLoadWatch({
    leg: () => frame.leg,
    isReady,
    pingMs: limits.pingMs,
    onGone: () => store.dispatch({ type: 'fail', failure: appNavigated }),
  });

  const limitStep = (ms: number, toCode: () => Parameters<typeof toTimeoutFailure>[0]): void => {
    clearTimeout(stepTimer);
    stepTimer = setTimeout(() => {
      store.dispatch({ type: 'fail', failure: toTimeoutFailure(toCode(), ms) });
    }, ms);
  };

  const load = async (): Promise<void> => {
    run += 1;
    const mine = run;
    const isCurrent = (): boolean => mine === run && store.state.status === 'loading';
    try {
      const resource = await loadApp({
        tool: options.tool,
        resources,
        resourceMs: limits.resourceMs,
        isCurrent,
        toPlan: (read) => toFramePlan(read, options, surface.origins),
        mount,
        discard: () => {
          recorder.lifecycle('warm-frames-discarded');
          frame.unmount();
          store.dispatch({ type: 'unmounted' });
        },
      });
      if (!resource || !isCurrent()) return;
      for (const finding of resource.findings) recorder.note('finding', finding);
      const { uri, hash, bytes, findings, provenance, prefersBorder, html } = resource;
      store.update({
        resource: {
          uri,
          hash,
          bytes,
          findings,
          provenance,
          ...(prefersBorder === undefined ? {} : { prefersBorder }),
        },
      });
      waitingHtml = html;
      store.dispatch({ type: 'resource' });
    } catch (error) {
      if (isCurrent()) store.dispatch({ type: 'fail', failure: toFailure(error, 'resource', 'internal') });
    }
  };
  let waitingHtml = '';

  const mount = (plan: FramePlan, isWarm: boolean): void => {
    const { policy, declared, dropped, csp, fallback } = plan;
    // HOST-006: what is enforced, for which resource of which server, can be looked up later.
    recorder.lifecycle('policy', { server: server.name, resource: policy.resource, csp, policy, isWarm });
    for (const entry of dropped) recorder.note('finding', { code: 'domain-dropped', ...entry });
    frame.mount(plan);
    store.update({
      policy: { ...(declared ? { declared } : {}), effective: policy, dropped, csp },
      address: { proxyOrigin: plan.frame.origin, appOrigin: plan.appOrigin },
      prewarmed: isWarm,
      ...(fallback ? { fallback } : {}),
    });
    store.dispatch({ type: 'mounted' });
    limitStep(limits.sandboxMs, () => 'sandbox-unreachable');
  };

  const handOver = (): void => {
    if (!frame.plan) return;
    const html = waitingHtml;
    waitingHtml = '';
    frame.leg?.notify('ui/notifications/sandbox-resource-ready', { html, ...toGranted(frame.plan.policy) });
  };

  const limitHandshake = (): void =>
    limitStep(limits.handshakeMs, () => {
      const phase = 'phase' in store.state ? store.state.phase : 'initialize';
      if (phase === 'document') return 'html-never-ran';
      return phase === 'initialize' ? 'no-initialize' : 'initialized-missing';
    });

  function onTransition(previous: SessionState, state: SessionState, event: SessionEvent): void {
    if (event.type === 'proxy-ready') clearTimeout(stepTimer);
    if (state.status === 'handshake') {
      const isHandover = previous.status === 'loading' || previous.status === 'sandbox';
      const isNewEpoch = previous.epoch !== state.epoch;
      if (isHandover) handOver();
      if (event.type === 'loader-ready' && isNewEpoch) frame.renewLeg();
      if (isNewEpoch) {
        outbox.shut();
        acceptsHeight = createSizeGuard();
      }
      if (isHandover || isNewEpoch) limitHandshake();
    }
    if (state.status === 'ready' && previous.status !== 'ready') {
      clearTimeout(stepTimer);
      tellContext();
      outbox.open();
      loads.appReady();
    }
    if (state.status === 'failed') onFailed(previous, state.failure.code);
    if (event.type === 'start' || event.type === 'restart') void load();
  }

  const onFailed = (previous: SessionState, code: string): void => {
    clearTimeout(stepTimer);
    failing.abort(new CasementError('session-closed', 'The session failed.'));
    const isThere = previous.status === 'ready' && code !== 'app-navigated' && code !== 'proxy-restarted';
    const ended = run;
    const asked = isThere ? frame.askTeardown(code, limits.teardownMs) : Promise.resolve();
    // A restart meanwhile has frames of its own, which are not to be removed here.
    void asked.then(() => (ended === run ? frame.unmount() : undefined));
  };

  const initialize = (params: InitializeParams): InitializeResult => {
    if (!store.dispatch({ type: 'initialize' })) {
      throw new CasementError('session-closed', 'This app is not being started.');
    }
    const { appInfo, appCapabilities } = params;
    const hostCapabilities = toHostCapabilities(answered, frame.plan?.policy);
    store.update({ appInfo, appCapabilities, hostCapabilities });
    // HOST-048: an app that declares its modes is never in another one, from the first moment.
    const declared = appCapabilities.availableDisplayModes;
    const fitting = context.offered.find((mode) => declared?.includes(mode));
    if (fitting && !declared?.includes(context.displayMode)) handlerContext.displayMode.apply(fitting);
    told = context.current();
    store.update({ hostContext: told });
    return {
      protocolVersion: LATEST_PROTOCOL_VERSION,
      hostInfo: options.hostInfo ?? { name: 'casement', version: '0.1.0' },
      hostCapabilities,
      hostContext: told,
    };
  };

  const tellContext = (): void => {
    const current = context.current();
    store.update({ hostContext: current });
    if (!isReady()) return;
    const changes = diffHostContext(told, current);
    told = current;
    if (changes) frame.leg?.notify('ui/notifications/host-context-changed', changes);
  };

  const resize = (report: AppSize): void => {
    if (store.state.status !== 'ready' && store.state.status !== 'handshake') return;
    const size = toAppSize(report, {
      dimensions: context.current().containerDimensions,
      displayMode: context.displayMode,
      maxHeight: limits.maxHeight,
    });
    if (!size || (size.height !== undefined && !acceptsHeight(size.height))) return;
    surface.setSize(size);
    store.update({ size });
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
        loads.frameLoaded();
        return;
      case 'ui/notifications/sandbox-violation': {
        recorder.note('violation', { ...notification.params, source: 'guest' });
        const violations = [...store.getSnapshot().violations, notification.params];
        store.update({ violations: violations.slice(-maxViolations) });
        return;
      }
      case 'ui/notifications/sandbox-dropped': {
        recorder.note('dropped', notification.params);
        const dropped = store.getSnapshot().dropped + notification.params.count;
        store.update({ dropped });
        if (dropped > limits.maxDropped) store.dispatch({ type: 'fail', failure: toFlooding(dropped) });
        return;
      }
      default:
        handleNotification(handlerContext, notification);
    }
  };

  const unwatch = watchServer(server, {
    toolsChanged() {
      if (isReady()) frame.leg?.notify('notifications/tools/list_changed', {});
    },
    resourcesChanged() {
      if (isReady()) frame.leg?.notify('notifications/resources/list_changed', {});
    },
    onToolsStale: () => tools.invalidate(),
    lost(reason) {
      outbox.cancel(`The server was lost: ${reason}`);
      const step = store.state.status === 'loading' ? 'resource' : 'running';
      store.dispatch({ type: 'server-lost', failure: toServerLost(reason, step) });
    },
  });

  const deliver = (what: string, isTaken: boolean): void => {
    if (!isTaken) recorder.note('dropped', { reason: 'out of order', what });
  };

  const remove = (): void => {
    run += 1;
    clearTimeout(stepTimer);
    frame.unmount();
    unwatch();
    store.dispatch({ type: 'removed' });
  };

  return {
    getSnapshot: store.getSnapshot,
    subscribe: store.subscribe,
    start() {
      recorder.lifecycle('session', { server: server.name, tool: options.tool.name });
      if (options.toolInput) outbox.input(options.toolInput);
      store.dispatch({ type: 'start' });
    },
    sendToolInputPartial: (args) => deliver('tool-input-partial', outbox.partial(args)),
    sendToolInput: (args) => deliver('tool-input', outbox.input(args)),
    sendToolResult: (result) => deliver('tool-result', outbox.result(toDeliverableResult(result, recorder))),
    cancelTool: (reason) => deliver('tool-cancelled', outbox.cancel(reason)),
    setHostContext(patch) {
      context.patch(patch);
      tellContext();
    },
    setSurfaceContext(patch) {
      context.patchSurface(patch);
      tellContext();
    },
    setDisplayMode(mode) {
      const decision = decideDisplayMode(mode, context.offered, handlerContext.displayMode.declared());
      recorder.decision('display-mode', decision, { mode, by: 'embedder' });
      if (decision.allow && mode !== context.displayMode) handlerContext.displayMode.apply(mode);
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
        store.dispatch({ type: 'restart' });
      });
    },
    close(reason) {
      closing ??= (async () => {
        const wasReady = isReady();
        store.dispatch({ type: 'close' });
        clearTimeout(stepTimer);
        if (wasReady) await frame.askTeardown(reason, limits.teardownMs);
        if (store.state.status !== 'closed') remove();
      })();
      return closing;
    },
    note: (kind, raw) => recorder.note(kind, raw),
    skipTeardown(cause) {
      if (store.state.status === 'closed') return;
      recorder.lifecycle('teardown-skipped', { cause });
      if (cause === 'removed-by-others') remove();
    },
  };
};

const toOrigins = (plan: FramePlan | undefined): string[] =>
  plan ? [plan.frame.origin, ...(plan.appOrigin === 'null' ? [] : [plan.appOrigin])] : [];

/** Not crypto.randomUUID: a page on plain http that is not loopback does not have it. */
const toSessionId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36).padStart(2, '0')).join(
    '',
  );
