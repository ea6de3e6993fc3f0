import type {
  AppFamily,
  DisplayMode,
  MetadataFinding,
  NotificationMethod,
  ParamsOf,
  RequestMethod,
  RequestOptions,
  ResultOf,
} from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import type { AppFrame } from '../frame/app-frame.js';
import type { FramePlan } from '../frame/frame-plan.js';
import type { SessionState } from '../state/session-state.js';
import type { SessionContext } from '../view/host-context.js';
import type { SessionView } from '../view/session-view.js';
import type { AppSnapshot } from '../state/app-snapshot.js';
import type { Decision } from '../policy/decision.js';
import { toRefusal } from '../policy/decision.js';
import type { SessionLimits } from '../limits.js';
import type { OwnPlaces } from '../policy/decide-link.js';
import type { SessionRecorder } from '../state/session-recorder.js';
import type { SessionOptions, MessageRequest, SandboxTarget } from '../session-options.js';
import type { SessionDetails, SessionStore } from '../state/session-store.js';
import type { Surface } from '../surface.js';

/** What the handlers of one session may use. */
export interface HandlerContext {
  readonly options: SessionOptions;
  readonly surface: Surface;
  readonly recorder: SessionRecorder;
  readonly limits: SessionLimits;
  /** Aborts when the session fails; not when it closes, so that what an app saves at the end gets through. */
  readonly failed: AbortSignal;
  /** Aborts when the app is being closed or evicted: it may no longer ask the user for anything, but it may still save. */
  readonly closing: AbortSignal;
  /** Does something for the app that it waits for: a request, or a question to the user, by this name. */
  during<T>(name: string, run: () => T | Promise<T>): Promise<T>;
  /** Whether the app is initialized and not yet gone. */
  isServing(): boolean;
  /** Whose loader runs the app, which decides what silence in metadata means. */
  family(): AppFamily;
  ownPlaces(): OwnPlaces;
  app(): MessageRequest['app'];
  /** Records the decision and throws it as a refusal when it is one. */
  enforce(method: string, decision: Decision, details?: Record<string, unknown>): void;
  notify<M extends NotificationMethod>(method: M, params: ParamsOf<M>): void;
  /** Asks the app something; rejects with session-closed when there is none. */
  request<M extends RequestMethod>(
    method: M,
    params: ParamsOf<M>,
    options?: RequestOptions,
  ): Promise<ResultOf<M>>;
  snapshot(): AppSnapshot;
  /** Changes what the snapshot shows. */
  update(details: Partial<SessionDetails>): void;
  /** Adds a finding for the author of the app; one that is known is not added again. */
  addFinding(finding: MetadataFinding): void;
  /** Ends the app in the orderly way: teardown is sent and awaited first. */
  close(reason: string): void;
  readonly displayMode: {
    current(): DisplayMode;
    offered(): readonly DisplayMode[];
    declared(): readonly DisplayMode[] | undefined;
    apply(mode: DisplayMode): void;
  };
}

/** Makes what the handlers of one session see of it. */
export const createHandlerContext = (parts: {
  readonly options: SessionOptions;
  readonly surface: Surface;
  readonly recorder: SessionRecorder;
  readonly limits: SessionLimits;
  readonly store: SessionStore;
  readonly context: SessionContext;
  readonly frame: AppFrame;
  readonly view: SessionView;
  failed(): AbortSignal;
  closing(): AbortSignal;
  readonly during: HandlerContext['during'];
  close(reason: string): Promise<void>;
}): HandlerContext => {
  const { options, surface, recorder, limits, store, context, frame, view, close } = parts;
  const { server } = options;
  return {
    options,
    surface,
    recorder,
    limits,
    get failed() {
      return parts.failed();
    },
    get closing() {
      return parts.closing();
    },
    during: parts.during,
    isServing: () => isServed(store.state),
    family: () => frame.plan?.policy.family ?? 'mcp-apps',
    ownPlaces: () => ({
      origins: [...surface.origins, ...(options.denyOrigins ?? []), ...toOrigins(frame.plan)],
      suffixes: toSuffixes(options.sandbox),
    }),
    app: () => {
      const { appInfo, resource } = store.getSnapshot();
      return { server: server.name, resource: resource?.uri ?? '', ...(appInfo ? { info: appInfo } : {}) };
    },
    enforce(method, decision, details) {
      recorder.decision(method, decision, details);
      if (decision.allow) return;
      const { code, reason, hint } = decision;
      store.addFinding({ code, message: reason, fix: hint, path: method });
      throw toRefusal(decision);
    },
    notify: (method, params) => frame.leg?.notify(method, params),
    request: (method, params, settings) =>
      frame.leg?.request(method, params, settings) ??
      Promise.reject(new CasementError('session-closed', 'The app is not there.')),
    snapshot: () => store.getSnapshot(),
    update: (details) => store.update(details),
    addFinding: (finding) => store.addFinding(finding),
    close: (reason) => void close(reason),
    displayMode: {
      current: () => context.displayMode,
      offered: () => context.offered,
      declared: () => store.getSnapshot().appCapabilities?.availableDisplayModes,
      apply: (mode) => view.setDisplayMode(mode),
    },
  };
};

/** Whether an app in this state can still use what it was given. */
export const isServed = (state: SessionState): boolean =>
  state.status === 'ready' ||
  ((state.status === 'tearing-down' || state.status === 'evicted') && state.initialized);

/** Below bare loopback are the developer's own servers as well; there the port decides. */
const toSuffixes = (target: SandboxTarget): string[] =>
  ('base' in target ? [target.base, target.otherSiteBase] : [])
    .flatMap((base) => (base === undefined ? [] : [new URL(base).hostname]))
    .filter((name) => name !== 'localhost');

const toOrigins = (plan: FramePlan | undefined): string[] =>
  plan ? [plan.frame.origin, ...(plan.appOrigin === 'null' ? [] : [plan.appOrigin])] : [];
