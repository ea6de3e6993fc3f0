import type { PeerNotification, Transport } from '@casement/protocol';
import type { AppLeg } from './app-leg.js';
import { createAppLeg } from './app-leg.js';
import { createHandlers } from './handlers/create-handlers.js';
import type { HandlerContext } from './handlers/handler-context.js';

export { toFramePlan } from './frame-plan.js';

/** Opens the conversation with one document. */
export type OpenLeg = (transport: Transport) => AppLeg;

/** The conversations of one session: what its handlers remember, such as rates, holds across documents. */
export const createLegs = (
  context: HandlerContext,
  onNotification: (notification: PeerNotification) => void,
): OpenLeg => {
  const requestHandlers = createHandlers(context);
  return (transport) => createAppLeg(transport, context.recorder, { requestHandlers, onNotification });
};
