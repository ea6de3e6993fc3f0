import type { ErrorCode, MetadataFinding, SessionStep } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import type { SessionFailure } from './session-state.js';

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

/** What an inquiry can find out about a sandbox that does not come up. */
export type SandboxTrouble =
  | 'unreachable'
  | 'unknown'
  | 'blocked-by-page'
  | 'host-refused'
  | 'base-differs'
  | 'ancestor-refused'
  | 'embedder-policy'
  | 'release-differs'
  | 'policy-refused';

/** What the words of a failure are about. */
export interface TroubledSandbox {
  readonly origin: string;
  /** The page's own origin first, then those around it. */
  readonly pageOrigins: readonly string[];
  readonly release?: string;
}

const toWords = (
  trouble: SandboxTrouble,
  { origin, pageOrigins, release }: TroubledSandbox,
): { code: ErrorCode; message: string; hint: string } => {
  const [page = '', ...around] = pageOrigins;
  switch (trouble) {
    case 'unreachable':
      return {
        code: 'sandbox-unreachable',
        message: `No sandbox answers at ${origin}.`,
        hint: 'Start the sandbox, and check that its name resolves in this browser and that its port and certificate are right.',
      };
    case 'unknown':
      return {
        code: 'sandbox-unknown',
        message: `Something answers at ${origin}, but it is no sandbox of Casement.`,
        hint: 'Check the sandbox address given to this page, and what a server or proxy in front of the sandbox does with its answers.',
      };
    case 'blocked-by-page':
      return {
        code: 'sandbox-blocked-by-page',
        message: `The Content-Security-Policy of this page does not allow frames from ${origin}.`,
        hint: `Add ${origin} to frame-src in the policy of the page.`,
      };
    case 'host-refused':
      return {
        code: 'sandbox-host-refused',
        message: `The sandbox does not serve pages of ${page}.`,
        hint: `Add '${page}' to hostOrigins of createSandboxHandler.`,
      };
    case 'base-differs':
      return {
        code: 'sandbox-base-differs',
        message: `The sandbox that answers at ${origin} has another base than this page was given.`,
        hint: 'Give the page and createSandboxHandler the same base: scheme, name and port as the browser uses them.',
      };
    case 'ancestor-refused':
      return {
        code: 'sandbox-ancestor-refused',
        message: `This page is itself in a frame${around.length > 0 ? ` of ${around.join(', ')}` : ''}, and the sandbox does not know that page.`,
        hint: `Name it in hostAncestors of createSandboxHandler: { '${page}': [${around.map((name) => `'${name}'`).join(', ')}] }.`,
      };
    case 'embedder-policy':
      return {
        code: 'sandbox-embedder-policy',
        message: 'This page has a Cross-Origin-Embedder-Policy, which keeps the frame of the sandbox out.',
        hint: "Leave out storage: 'persistent', so that the frame is credentialless; in a browser without such frames, leave out the Cross-Origin-Embedder-Policy.",
      };
    case 'release-differs':
      return {
        code: 'sandbox-release-differs',
        message: `The sandbox is of release ${release ?? 'unknown'} and does not understand what this page asks for.`,
        hint: 'Serve the sandbox from the same release of Casement as the page.',
      };
    case 'policy-refused':
      return {
        code: 'sandbox-misconfigured',
        message: 'The sandbox refuses the policy of this app.',
        hint: 'Give the page and createSandboxHandler the same options (allowLoopback, opaqueBase); onRefusal of the handler says what it refuses.',
      };
  }
};

/** The failure that names what is wrong with a sandbox. */
export const toSandboxFailure = (trouble: SandboxTrouble, sandbox: TroubledSandbox): SessionFailure => ({
  step: 'sandbox',
  ...toWords(trouble, sandbox),
});
