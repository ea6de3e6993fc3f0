import type { RequestHandlers } from '@casement/protocol';
import { CasementError } from '@casement/protocol/basics';
import type * as WidgetRequests from './widget-requests.js';
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
          'casement/modal': async (params, { signal }) =>
            (await load('casement/modal')).askForModal(context, params, { onModal, modals, signal }),
        }
      : {}),
  };
};
