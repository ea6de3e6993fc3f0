import type { MetadataFinding, SessionStep } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import type { SessionFailure } from './app-snapshot.js';

/** The steps a frame can be late with. */
export type StepFailure = 'sandbox-unreachable' | 'html-never-ran' | 'no-initialize' | 'initialized-missing';

const steps: Record<StepFailure, { step: SessionStep; toMessage(seconds: string): string; hint: string }> = {
  'sandbox-unreachable': {
    step: 'sandbox',
    toMessage: (seconds) => `The sandbox proxy did not report ready within ${seconds}.`,
    hint: 'Check that the sandbox address opens in this browser and that its configuration names this page as host.',
  },
  'html-never-ran': {
    step: 'html',
    toMessage: (seconds) => `The app's document did not load within ${seconds} of handing over its HTML.`,
    hint: "Check that the app's sandbox origin resolves in this browser.",
  },
  'no-initialize': {
    step: 'handshake',
    toMessage: (seconds) => `The app ran but did not send ui/initialize within ${seconds}.`,
    hint: 'Look at the console of the frame for a script error, and that the app connects to its host when it starts.',
  },
  'initialized-missing': {
    step: 'initialized',
    toMessage: (seconds) =>
      `The app sent ui/initialize but not ui/notifications/initialized within ${seconds}.`,
    hint: 'Send ui/notifications/initialized once the answer to ui/initialize arrived.',
  },
};

/** The failure of a step that ran out of time. */
export const toTimeoutFailure = (code: StepFailure, ms: number): SessionFailure => {
  const { step, toMessage, hint } = steps[code];
  return { step, code, message: toMessage(ms < 1000 ? `${ms} ms` : `${ms / 1000} s`), hint };
};

/** The proxy's page came a second time. */
export const proxyRestarted: SessionFailure = {
  step: 'sandbox',
  code: 'proxy-restarted',
  message:
    'The sandbox proxy reported ready a second time, so its page was replaced while the app was running.',
  hint: 'Reload the app; if it happens again, look for something that navigates or reloads the outer frame.',
};

/** Page and sandbox were made by different releases: it may work, and it may be why something does not. */
export const toReleaseSkew = (sandbox: string, page: string): MetadataFinding => ({
  code: 'sandbox-release',
  message: `The sandbox is of release ${toPrintable(sandbox, 40)}, this page of release ${page}.`,
  fix: 'Serve page and sandbox from the same release of Casement.',
  path: 'sandbox',
});

/** The app's document was replaced by something that does not answer. */
export const appNavigated: SessionFailure = {
  step: 'running',
  code: 'app-navigated',
  message: 'The app navigated away from its own document, or its page no longer answers.',
  hint: 'Apps stay on one page: use ui/open-link for links, and prevent the default action of forms and anchors.',
};

/** The app's thread is busy; it may recover (T13). */
export const appSilent: SessionFailure = {
  step: 'running',
  code: 'app-not-responding',
  message: 'The app has not responded for several seconds.',
  hint: 'Wait or stop it. In the app, look for a long loop; move heavy work into a worker or into pieces.',
};

/** The app's thread was busy, and the sandbox with it: told afterwards, by the clock. */
export const toStoodStill = (ms: number): MetadataFinding => ({
  code: appSilent.code,
  message: `The app's sandbox stood still for ${(ms / 1000).toFixed(1)} s. The app, or a page that shares its thread, was busy; this browser gives them no threads of their own.`,
  fix: 'In the app, look for a long loop; move heavy work into a worker or into pieces.',
  path: 'ui/notifications/sandbox-app-health',
});

/** The app's document ended by itself (T13). */
export const appCrashed: SessionFailure = {
  step: 'running',
  code: 'app-crashed',
  message: 'The app crashed: its document ended without leaving for another.',
  hint: 'Reload it. If it happens again, look for what fills the memory of the app.',
};

/** The proxy had to drop more messages than a session survives. */
export const toFlooding = (dropped: number): SessionFailure => ({
  step: 'running',
  code: 'app-flooding',
  message: `The app sent so many messages that ${dropped} were dropped.`,
  hint: 'Send fewer messages: batch updates, and report sizes and logs only when something changed.',
});

/** The connection to the app's server is gone. */
export const toServerLost = (reason: string, step: SessionStep): SessionFailure => ({
  step,
  code: 'server-lost',
  message: `The connection to the server was lost: ${reason}`,
  hint: 'Restart the server, then reload the app.',
});
