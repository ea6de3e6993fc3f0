import type { CallToolResult, PeerNotification, Transport } from '@casement/protocol';
import { CasementError } from '@casement/protocol';
import type { AppLeg } from './app-leg.js';
import { createAppLeg } from './app-leg.js';
import { createHandlers } from './handlers/create-handlers.js';
import type { HandlerContext } from './handlers/handler-context.js';
import { handleNotification } from './handlers/notifications.js';
import type { AppControls } from './session-options.js';

export { toFramePlan } from './frame-plan.js';

/** Opens the conversation with one document. */
export type OpenLeg = (transport: Transport) => AppLeg;

/** What serves an app once there is a frame: loaded on demand with it, and kept for all documents of a session. */
export interface AppServices {
  readonly openLeg: OpenLeg;
  /** A notification of the app that is not part of its lifecycle. */
  receive(notification: PeerNotification): void;
  /** The app said initialized, in this epoch for the first time. */
  appReady(): void;
  /** The document is gone or is being replaced: nothing it offered holds any more. */
  appGone(): void;
  callAppTool: AppControls['callAppTool'];
}

/** The services of one session: what its handlers remember, such as rates, holds across documents. */
export const createAppServices = (
  context: HandlerContext,
  onNotification: (notification: PeerNotification) => void,
): AppServices => {
  const requestHandlers = createHandlers(context);
  return {
    openLeg: (transport) =>
      createAppLeg(transport, context.recorder, {
        requestHandlers,
        onNotification,
        find: (finding) => context.find(finding),
        onDialects: (dialects) => context.update({ dialects }),
        modelContext: () => context.snapshot().modelContext,
      }),
    receive: (notification) => handleNotification(context, notification),
    appReady: () => undefined,
    appGone: () => undefined,
    callAppTool: (name): Promise<CallToolResult> =>
      Promise.reject(new CasementError('app-tool-not-found', `The app offers no tool named ${name}.`)),
  };
};
