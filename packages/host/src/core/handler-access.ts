import { CasementError } from '@casement/protocol';
import type { AppFrame } from './app-frame.js';
import { toRefusal } from './decision.js';
import type { FramePlan } from './frame-plan.js';
import type { HandlerContext } from './handlers/handler-context.js';
import type { LiveOptions } from './live-session.js';
import type { SandboxTarget } from './session-options.js';
import type { SessionContext } from './session-context.js';
import type { SessionState } from './session-state.js';
import type { SessionView } from './session-view.js';

/** What the handlers may reach of a session, beside what the session itself began with. */
interface Reachable extends LiveOptions {
  readonly context: SessionContext;
  readonly frame: AppFrame;
  readonly view: SessionView;
  failed(): AbortSignal;
  readonly closing: AbortSignal;
  readonly initialize: HandlerContext['initialize'];
}

/** Opens as much of a session to its handlers as they need. */
export const createHandlerContext = (parts: Reachable): HandlerContext => {
  const { options, surface, recorder, limits, store, context, frame, view, initialize, close } = parts;
  const { server } = options;
  return {
    options,
    surface,
    recorder,
    limits,
    get failed() {
      return parts.failed();
    },
    closing: parts.closing,
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
      store.find({ code, message: reason, fix: hint, path: method });
      throw toRefusal(decision);
    },
    notify: (method, params) => frame.leg?.notify(method, params),
    request: (method, params, settings) =>
      frame.leg?.request(method, params, settings) ??
      Promise.reject(new CasementError('session-closed', 'The app is not there.')),
    snapshot: () => store.getSnapshot(),
    update: (details) => store.update(details),
    find: (finding) => store.find(finding),
    close: (reason) => void close(reason),
    initialize,
    resize: (report) => view.resize(report),
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
  state.status === 'ready' || (state.status === 'tearing-down' && state.initialized);

/** Below bare loopback are the developer's own servers as well; there the port decides. */
const toSuffixes = (target: SandboxTarget): string[] =>
  ('base' in target ? [target.base, target.otherSiteBase] : [])
    .flatMap((base) => (base === undefined ? [] : [new URL(base).hostname]))
    .filter((name) => name !== 'localhost');

const toOrigins = (plan: FramePlan | undefined): string[] =>
  plan ? [plan.frame.origin, ...(plan.appOrigin === 'null' ? [] : [plan.appOrigin])] : [];
