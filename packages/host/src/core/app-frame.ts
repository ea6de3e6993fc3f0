import type { PeerNotification, RequestHandlers, Transport } from '@casement/protocol';
import { CasementError } from '@casement/protocol';
import type { AppLeg } from './app-leg.js';
import { createAppLeg } from './app-leg.js';
import type { FramePlan } from './frame-plan.js';
import type { SessionRecorder } from './session-recorder.js';
import type { Surface } from './surface.js';

/** The frame of a session as long as there is one, with the conversation in it. */
export interface AppFrame {
  readonly leg: AppLeg | undefined;
  readonly plan: FramePlan | undefined;
  mount(plan: FramePlan): void;
  /** A new document talks now: what was owed to the old one is forgotten. */
  renewLeg(): void;
  unmount(): void;
  /** Asks the app to stop and waits, at most `ms`; an error, -32601 too, is consent (HOST-072, HOST-073). */
  askTeardown(reason: string | undefined, ms: number): Promise<void>;
}

/** A frame that is not there yet. */
export const createAppFrame = (
  surface: Surface,
  recorder: SessionRecorder,
  handlers: RequestHandlers,
  onNotification: (notification: PeerNotification) => void,
): AppFrame => {
  let transport: Transport | undefined;
  let leg: AppLeg | undefined;
  let plan: FramePlan | undefined;

  const closeLeg = (): void => {
    leg?.close(new CasementError('session-closed', 'The document of the app is gone.'));
    leg = undefined;
  };
  const openLeg = (): void => {
    closeLeg();
    if (transport) leg = createAppLeg(transport, recorder, { requestHandlers: handlers, onNotification });
  };

  return {
    get leg() {
      return leg;
    },
    get plan() {
      return plan;
    },
    mount(next) {
      plan = next;
      transport = surface.mount(next.frame);
      openLeg();
    },
    renewLeg: openLeg,
    unmount() {
      closeLeg();
      if (!transport) return;
      transport.close();
      transport = undefined;
      surface.unmount();
    },
    async askTeardown(reason, ms) {
      const params = reason === undefined ? {} : { reason };
      const outcome = await leg?.request('ui/resource-teardown', params, { timeoutMs: ms }).then(
        () => 'answered',
        (error: unknown) =>
          error instanceof CasementError && error.code === 'peer-error'
            ? 'answered with an error'
            : 'unanswered',
      );
      recorder.lifecycle('teardown', { outcome });
    },
  };
};
