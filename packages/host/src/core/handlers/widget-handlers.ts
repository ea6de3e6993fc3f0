import type { RequestHandlers } from '@casement/protocol';
import { CasementError } from '@casement/protocol/basics';
import type * as WidgetRequests from './widget-requests.js';
import { refuseClosing, refuseRate, refuseUnasked } from '../policy/policy.js';
import { createRateLimit } from '../policy/rate-limit.js';
import type { HandlerContext } from './handler-context.js';

type WidgetHandlers = Pick<RequestHandlers, 'casement/widget-state' | 'casement/modal'>;

/**
 * Makes the handlers that only widgets of the OpenAI family may use; other apps are told that the method does not
 * exist. Their code is loaded with the first request.
 */
export const createWidgetHandlers = (context: HandlerContext): WidgetHandlers => {
  const load = (method: string): Promise<typeof WidgetRequests> => {
    if (context.family() !== 'openai')
      throw new CasementError('method-not-found', `Method not found: ${method}`);
    return import('./widget-requests.js');
  };
  const { onModal } = context.options;
  // A dialog is in the way of everything else.
  const modals = createRateLimit(3, 10_000);
  return {
    'casement/widget-state': async (params) =>
      (await load('casement/widget-state')).keepWidgetState(context, params),
    ...(onModal
      ? {
          'casement/modal': async (params, { signal }) => {
            const { askForModal } = await load('casement/modal');
            if (!modals.take()) context.enforce('casement/modal', refuseRate('casement/modal'));
            const isUnasked = !(await context.surface.hasUserActivation());
            // Last, as all of this takes a moment in which the widget may have gone.
            if (context.closing.aborted) context.enforce('casement/modal', refuseClosing);
            signal.throwIfAborted();
            if (isUnasked) context.enforce('casement/modal', refuseUnasked);
            return askForModal(context, onModal, params);
          },
        }
      : {}),
  };
};
