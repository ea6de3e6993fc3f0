import type { MetadataFinding, SessionStep } from '@casement/protocol';
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

/** The app's thread was busy, and the sandbox with it: told afterwards, by the clock. */
export const toStoodStill = (ms: number): MetadataFinding => ({
  code: 'app-not-responding',
  message: `The app's sandbox stood still for ${(ms / 1000).toFixed(1)} s. The app, or a page that shares its thread, was busy; this browser gives them no threads of their own.`,
  fix: 'In the app, look for a long loop; move heavy work into a worker or into pieces.',
  path: 'ui/notifications/sandbox-app-health',
});
