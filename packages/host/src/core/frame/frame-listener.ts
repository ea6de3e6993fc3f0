import type { ParamsOf, PeerNotification } from '@casement/protocol';
import type { SessionFailure } from '../state/session-state.js';
import { addExplained, loadTrouble } from '../state/explain.js';
import { appCrashed, appNavigated, appSilent, proxyRestarted, toFlooding } from '../state/failures.js';
import type { SessionLimits } from '../limits.js';
import type { EvidenceKeeper } from '../evidence/evidence-log.js';
import type { QuietPageWatch } from '../state/quiet-page.js';
import type { AppSizing } from '../view/app-size.js';
import type { AppFrame } from './app-frame.js';
import { createLoadWatch } from './load-watch.js';
import type { SessionRecorder } from '../state/session-recorder.js';
import type { SessionStore } from '../state/session-store.js';

/** Takes what comes out of the frame by itself: the app's handshake and what the proxy reports of it. */
export interface FrameListener {
  receive(notification: PeerNotification): void;
  /** The document is new, or gone: nothing is awaited of the old one. */
  renew(): void;
  /** The app is initialized: it may be asked now whether it is still there. */
  appReady(): void;
}

const isEnding: ReadonlySet<string> = new Set(['tearing-down', 'evicted']);
const maxViolations = 200;
const maxScriptErrors = 20;

/** Makes the listener for all frames of a session; what is not about the life of the app goes to `pass`. */
export const createFrameListener = (parts: {
  readonly store: SessionStore;
  readonly recorder: SessionRecorder;
  readonly frame: AppFrame;
  readonly sizing: Pick<AppSizing, 'resize'>;
  readonly limits: SessionLimits;
  pass(notification: PeerNotification): void;
}): FrameListener => {
  const { store, recorder, frame, sizing, limits, pass } = parts;
  /** Over an app that is a page elsewhere. */
  let quietPage: Promise<QuietPageWatch> | undefined;
  const hearPage = (spoke: boolean): void => {
    quietPage ??= loadTrouble().then(({ createQuietPageWatch }) => createQuietPageWatch(store));
    quietPage.then(
      (watch) => watch.hear(spoke),
      // Without it nobody is told that the page may be blank.
      () => (quietPage = undefined),
    );
  };
  /** What keeps the app's word about itself; without it nothing is kept. */
  let evidence: Promise<EvidenceKeeper> | undefined;
  const hearEvidence = (params: Parameters<EvidenceKeeper['take']>[0]): void => {
    // Nobody asked for it: a guest said it by itself.
    if (store.getSnapshot().evidence.mode === 'none') return;
    evidence ??= loadTrouble().then(({ createEvidenceKeeper }) => createEvidenceKeeper(store, recorder));
    evidence.then(
      (keeper) => keeper.take(params),
      () => (evidence = undefined),
    );
  };
  const isLeaving = (): boolean => isEnding.has(store.state.status);
  /** Removes the frame of an app that is being closed and cannot answer any more. */
  const leave = (): void => frame.unmount();
  const failWith = (failure: SessionFailure): void => {
    store.dispatch({ type: 'fail', failure });
  };
  const loads = createLoadWatch({
    leg: () => frame.leg,
    isReady: () => store.state.status === 'ready',
    pingMs: limits.pingMs,
    onGone: () => (isLeaving() ? leave() : failWith(appNavigated)),
  });
  const hearHealth = ({ state, ms }: ParamsOf<'ui/notifications/sandbox-app-health'>): void => {
    recorder.lifecycle('app-health', { state, ...(ms === undefined ? {} : { ms }) });
    if (state === 'stood-still') addExplained(store, ({ toStoodStill }) => toStoodStill(ms ?? 0));
    else if (isLeaving() && state !== 'alive') leave();
    else if (state === 'silent') store.dispatch({ type: 'app-silent', failure: appSilent });
    else if (state === 'alive') store.dispatch({ type: 'app-alive' });
    // Before the hand-over there is no app that could have gone.
    else if (store.state.status === 'handshake' || store.state.status === 'ready') failWith(appCrashed);
  };
  const hearProxy = ({ release, app }: ParamsOf<'ui/notifications/sandbox-proxy-ready'>): void => {
    const { plan } = frame;
    // A handler behind another scheme or port than it knows of would put the app where no browser finds it.
    if (plan && app !== undefined && app !== plan.appOrigin) {
      // Nothing is handed to this proxy, whenever the words for it come.
      return void loadTrouble().then(
        ({ toSandboxFailure }) =>
          failWith(toSandboxFailure('base-differs', { origin: plan.frame.origin, pageOrigins: [] })),
        store.failWith,
      );
    }
    if (plan && release !== undefined && release !== plan.frame.release)
      addExplained(store, ({ toReleaseSkew }) => toReleaseSkew(release, plan.frame.release));
    store.dispatch({ type: 'proxy-ready', restarted: proxyRestarted });
  };
  const hearNoStorage = (): void => {
    const { storage, fallback } = store.getSnapshot();
    // The opaque variants never have any, and say so.
    if (!storage || fallback) return;
    store.update({ storage: { ...storage, inForce: 'none' } });
    addExplained(store, ({ storageBlocked }) => storageBlocked);
  };
  const hearScriptError = (error: ParamsOf<'ui/notifications/sandbox-script-error'>): void => {
    const { scriptErrors } = store.getSnapshot();
    if (scriptErrors.length >= maxScriptErrors) return;
    store.update({ scriptErrors: [...scriptErrors, { ...error, at: Date.now() }] });
    addExplained(store, ({ scriptErrorFinding }) => scriptErrorFinding(error));
  };

  return {
    renew: () => void quietPage?.then((watch) => watch.stop()),
    appReady: loads.appReady,
    receive(notification) {
      switch (notification.method) {
        case 'ui/notifications/initialized':
          store.dispatch({ type: 'initialized' });
          return;
        case 'ui/notifications/size-changed':
          sizing.resize(notification.params);
          return;
        case 'ui/notifications/sandbox-proxy-ready':
          if (isLeaving()) leave();
          else hearProxy(notification.params);
          return;
        case 'ui/notifications/sandbox-loader-ready':
          loads.loaderReady();
          if (notification.params.storage === 'blocked') hearNoStorage();
          // The document that was asked is gone.
          if (isLeaving()) leave();
          else store.dispatch({ type: 'loader-ready' });
          return;
        case 'ui/notifications/sandbox-frame-loaded':
          if (notification.params.app) return store.reach('loaded');
          store.dispatch({ type: 'frame-loaded' });
          loads.frameLoaded(notification.params.left === true);
          return;
        case 'ui/notifications/sandbox-app-health':
          hearHealth(notification.params);
          return;
        case 'ui/notifications/sandbox-page-loaded':
          hearPage(notification.params.spoke);
          return;
        case 'ui/notifications/sandbox-evidence':
          hearEvidence(notification.params);
          return;
        case 'ui/notifications/sandbox-script-error':
          hearScriptError(notification.params);
          return;
        case 'ui/notifications/sandbox-violation': {
          // What the guest's page says of itself can be forged.
          recorder.note('violation', { ...notification.params, source: 'guest' });
          const violations = [...store.getSnapshot().violations, { ...notification.params, at: Date.now() }];
          store.update({ violations: violations.slice(-maxViolations) });
          if (store.getSnapshot().policy?.effective.family !== 'mcp-apps')
            addExplained(store, ({ toBlockedAsset }) =>
              toBlockedAsset(store.getSnapshot(), notification.params),
            );
          return;
        }
        case 'ui/notifications/sandbox-dropped': {
          recorder.note('dropped', notification.params);
          const dropped = store.getSnapshot().dropped + notification.params.count;
          store.update({ dropped });
          if (dropped <= limits.maxDropped) return;
          if (isLeaving()) leave();
          else failWith(toFlooding(dropped));
          return;
        }
        default:
          pass(notification);
      }
    },
  };
};
