import { loadTrouble } from '../state/explain.js';
import type { StepFailure } from '../state/step-failures.js';
import type { SessionLimits } from '../limits.js';
import type { SessionStore } from '../state/session-store.js';
import type { FrameSpec, Surface } from '../surface.js';

/** The one running time limit of a session: each step sets its own, the next step replaces it. */
export interface StepTimer {
  /** From mounting the proxy to its ready message. */
  limitSandbox(frame: FrameSpec): void;
  /** From the hand-over of the HTML, or a new epoch, to initialized. */
  limitHandshake(): void;
  clear(): void;
}

/**
 * Creates the timer of a session. When the time of a step is over, the session fails with the code of what is missing.
 */
export const createStepTimer = (
  limits: Pick<SessionLimits, 'sandboxMs' | 'handshakeMs'>,
  {
    store,
    surface,
    askedVersion,
  }: {
    readonly store: SessionStore;
    readonly surface: Pick<Surface, 'diagnose'>;
    askedVersion(): string | undefined;
  },
): StepTimer => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let inquiry = new AbortController();

  const clear = (): void => {
    clearTimeout(timer);
    inquiry.abort();
  };
  const limit = (ms: number, toCode: () => StepFailure): void => {
    clear();
    timer = setTimeout(() => {
      inquiry.abort();
      const { state } = store;
      const code = toCode();
      const isSilent = code === 'no-initialize' || code === 'initialized-missing';
      const known = {
        ...store.getSnapshot(),
        // Asked in this document: the phase says that ui/initialize came.
        askedVersion: code === 'initialized-missing' ? askedVersion() : undefined,
        // Its thread is busy still, which is reason enough.
        busy: 'silence' in state ? state.silence : undefined,
      };
      const { signal } = (inquiry = new AbortController());
      // The app may be there after all when the words have come, or another step may have begun.
      loadTrouble().then(({ toTimeoutFailure, explainSilence }) => {
        const failure = toTimeoutFailure(code, ms);
        if (!signal.aborted)
          store.dispatch({ type: 'fail', failure: isSilent ? explainSilence(failure, known) : failure });
      }, store.failWith);
    }, ms);
  };

  return {
    limitSandbox(frame) {
      limit(limits.sandboxMs, () => 'sandbox-unreachable');
      const { signal } = (inquiry = new AbortController());
      void surface.diagnose?.(frame, signal).then(
        (failure) => {
          if (failure && !signal.aborted) store.dispatch({ type: 'fail', failure });
        },
        // An inquiry that fails finds nothing out; the limit is still there.
        () => undefined,
      );
    },
    limitHandshake: () =>
      limit(limits.handshakeMs, () => {
        const { state } = store;
        if (state.status !== 'handshake' || state.phase === 'initialize') return 'no-initialize';
        return state.phase === 'document' ? 'html-never-ran' : 'initialized-missing';
      }),
    clear,
  };
};
