import type { FramePlan } from './frame-plan.js';
import type { SessionLimits } from './limits.js';
import type { SessionStore } from './session-store.js';
import type { StepFailure } from './frame-failures.js';

/** The one running time limit of a session: each step sets its own, the next step replaces it. */
export interface StepTimer {
  /** From mounting the proxy to its ready message. */
  limitSandbox(): void;
  /** From the hand-over of the HTML, or a new epoch, to initialized. */
  limitHandshake(): void;
  clear(): void;
}

/** A timer that fails the session in the name of what was missing when the time was over. */
export const createStepTimer = (
  limits: Pick<SessionLimits, 'sandboxMs' | 'handshakeMs'>,
  { store, plan }: { store(): SessionStore; plan(): FramePlan | undefined },
): StepTimer => {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const limit = (ms: number, toCode: () => StepFailure): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const { failures, diagnosis } = plan() ?? {};
      if (!failures) return;
      const code = toCode();
      const failure = failures.toTimeoutFailure(code, ms);
      const { violations } = store().getSnapshot();
      const cause = code === 'no-initialize' ? diagnosis?.explainSilence(violations) : undefined;
      store().dispatch({
        type: 'fail',
        failure: cause === undefined ? failure : { ...failure, hint: cause },
      });
    }, ms);
  };

  return {
    limitSandbox: () => limit(limits.sandboxMs, () => 'sandbox-unreachable'),
    limitHandshake: () =>
      limit(limits.handshakeMs, () => {
        const { state } = store();
        if (state.status !== 'handshake' || state.phase === 'initialize') return 'no-initialize';
        return state.phase === 'document' ? 'html-never-ran' : 'initialized-missing';
      }),
    clear: () => clearTimeout(timer),
  };
};
