import type { SessionStep } from '@casement/protocol';
import type { SessionFailure } from './session-state.js';

/* How an app ends that did what it may not, or whose document or server is gone: said at once, so always here. */

/** The proxy's page came a second time. */
export const proxyRestarted: SessionFailure = {
  step: 'sandbox',
  code: 'proxy-restarted',
  message:
    'The sandbox proxy reported ready a second time, so its page was replaced while the app was running.',
  hint: 'Reload the app; if it happens again, look for something that navigates or reloads the outer frame.',
};

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
