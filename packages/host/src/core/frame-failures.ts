import type { SessionStep } from '@casement/protocol';
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
const toTimeoutFailure = (code: StepFailure, ms: number): SessionFailure => {
  const { step, toMessage, hint } = steps[code];
  return { step, code, message: toMessage(ms < 1000 ? `${ms} ms` : `${ms / 1000} s`), hint };
};

/** The app's document was replaced by something that does not answer. */
const appNavigated: SessionFailure = {
  step: 'running',
  code: 'app-navigated',
  message: 'The app navigated away from its own document, or its page no longer answers.',
  hint: 'Apps stay on one page: use ui/open-link for links, and prevent the default action of forms and anchors.',
};

/** The proxy had to drop more messages than a session survives. */
const toFlooding = (dropped: number): SessionFailure => ({
  step: 'running',
  code: 'app-flooding',
  message: `The app sent so many messages that ${dropped} were dropped.`,
  hint: 'Send fewer messages: batch updates, and report sizes and logs only when something changed.',
});

/** The user ended it. */
const appStopped: SessionFailure = {
  step: 'running',
  code: 'app-stopped',
  message: 'The app was stopped.',
  hint: 'Reload the app to start it again.',
};

/** The failures of a session that has a frame; loaded with the frame plan. */
export interface FrameFailures {
  toTimeoutFailure(code: StepFailure, ms: number): SessionFailure;
  readonly appNavigated: SessionFailure;
  toFlooding(dropped: number): SessionFailure;
  readonly appStopped: SessionFailure;
}

/** Their words. */
export const frameFailures: FrameFailures = { toTimeoutFailure, appNavigated, toFlooding, appStopped };
