import type {
  PeerNotification,
  SandboxAppHealth,
  SandboxProxyReady,
  SandboxScriptError,
} from '@casement/protocol';
import type { SessionFailure } from './app-snapshot.js';
import { storageBlocked } from './app-storage.js';
import { scriptErrorFinding, toBlockedAsset } from './diagnosis.js';
import {
  appCrashed,
  appNavigated,
  appSilent,
  proxyRestarted,
  toFlooding,
  toReleaseSkew,
  toStoodStill,
} from './frame-failures.js';
import type { FramePlan } from './frame-plan.js';
import type { LoadWatch } from './load-watch.js';
import { createQuietPageWatch } from './quiet-page.js';
import { toSandboxFailure } from './sandbox-failures.js';
import type { SessionRecorder } from './session-recorder.js';
import type { SessionStore } from './session-store.js';

/** Takes what comes out of the frame by itself: the app's handshake and what the proxy reports of it. */
export interface FrameListener {
  receive(notification: PeerNotification): void;
  /** The document is new, or gone: nothing is awaited of the old one. */
  renew(): void;
  /** The session ends because of what the frame did. */
  fail(code: 'app-navigated' | 'app-crashed'): void;
}

const maxViolations = 200;
const maxScriptErrors = 20;

/** A listener for all frames of a session; what is not about the life of the app is passed on. */
export const createFrameListener = (parts: {
  readonly store: SessionStore;
  readonly recorder: SessionRecorder;
  readonly loads: LoadWatch;
  readonly maxDropped: number;
  /** An app that is being closed will not answer: its document is gone, or its thread hangs. */
  leave(): void;
  plan(): FramePlan | undefined;
  pass(notification: PeerNotification): void;
}): FrameListener => {
  const { store, recorder, loads, maxDropped, pass } = parts;

  const isLeaving = (): boolean => store.state.status === 'tearing-down';

  const quietPage = createQuietPageWatch(store);

  const failWith = (failure: SessionFailure): void => {
    store.dispatch({ type: 'fail', failure });
  };
  const hearHealth = ({ state, ms }: SandboxAppHealth): void => {
    recorder.lifecycle('app-health', { state, ...(ms === undefined ? {} : { ms }) });
    if (state === 'stood-still') store.find(toStoodStill(ms ?? 0));
    else if (isLeaving() && state !== 'alive') parts.leave();
    else if (state === 'silent') store.dispatch({ type: 'app-silent', failure: appSilent });
    else if (state === 'alive') store.dispatch({ type: 'app-alive' });
    // Before the hand-over there is no app that could have gone.
    else if (store.state.status === 'handshake' || store.state.status === 'ready') failWith(appCrashed);
  };
  const hearProxy = ({ release, app }: SandboxProxyReady): void => {
    const plan = parts.plan();
    // A handler behind another scheme or port than it knows of would put the app where no browser finds it.
    if (plan && app !== undefined && app !== plan.appOrigin) {
      return failWith(toSandboxFailure('base-differs', { origin: plan.frame.origin, pageOrigins: [] }));
    }
    if (plan && release !== undefined && release !== plan.frame.release)
      store.find(toReleaseSkew(release, plan.frame.release));
    store.dispatch({ type: 'proxy-ready', restarted: proxyRestarted });
  };
  const hearNoStorage = (): void => {
    const { storage, fallback } = store.getSnapshot();
    // The opaque variants never have any, and say so.
    if (!storage || fallback) return;
    store.update({ storage: { ...storage, inForce: 'none' } });
    store.find(storageBlocked);
  };
  const hearScriptError = (error: SandboxScriptError): void => {
    const { scriptErrors } = store.getSnapshot();
    if (scriptErrors.length >= maxScriptErrors) return;
    store.update({ scriptErrors: [...scriptErrors, error] });
    store.find(scriptErrorFinding(error));
  };

  return {
    renew: quietPage.stop,
    fail(code) {
      if (isLeaving()) parts.leave();
      else failWith(code === 'app-crashed' ? appCrashed : appNavigated);
    },
    receive(notification) {
      switch (notification.method) {
        case 'ui/notifications/initialized':
          store.dispatch({ type: 'initialized' });
          return;
        case 'ui/notifications/sandbox-proxy-ready':
          if (isLeaving()) parts.leave();
          else hearProxy(notification.params);
          return;
        case 'ui/notifications/sandbox-loader-ready':
          loads.loaderReady();
          if (notification.params.storage === 'blocked') hearNoStorage();
          // The document that was asked is gone.
          if (isLeaving()) parts.leave();
          else store.dispatch({ type: 'loader-ready' });
          return;
        case 'ui/notifications/sandbox-frame-loaded':
          store.dispatch({ type: 'frame-loaded' });
          loads.frameLoaded(notification.params.left === true);
          return;
        case 'ui/notifications/sandbox-app-health':
          hearHealth(notification.params);
          return;
        case 'ui/notifications/sandbox-page-loaded':
          quietPage.hear(notification.params.spoke);
          return;
        case 'ui/notifications/sandbox-script-error':
          hearScriptError(notification.params);
          return;
        case 'ui/notifications/sandbox-violation': {
          // What the guest's page says of itself can be forged.
          recorder.note('violation', { ...notification.params, source: 'guest' });
          const violations = [...store.getSnapshot().violations, notification.params];
          store.update({ violations: violations.slice(-maxViolations) });
          const finding = toBlockedAsset(store.getSnapshot().policy?.effective.family, notification.params);
          if (finding) store.find(finding);
          return;
        }
        case 'ui/notifications/sandbox-dropped': {
          recorder.note('dropped', notification.params);
          const dropped = store.getSnapshot().dropped + notification.params.count;
          store.update({ dropped });
          if (dropped <= maxDropped) return;
          if (isLeaving()) parts.leave();
          else failWith(toFlooding(dropped));
          return;
        }
        default:
          pass(notification);
      }
    },
  };
};
