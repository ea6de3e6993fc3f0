import { CasementError, createRateLimit } from '../loaded/loaded.js';
import type { RequestHandlers } from '@casement/protocol';
import type { HandlerContext } from './handler-context.js';
import { askForModal, keepWidgetState } from './widget-requests.js';

type WidgetHandlers = Pick<RequestHandlers, 'casement/widget-state' | 'casement/modal'>;

/** Makes the handlers that only widgets of the OpenAI family may use; other apps are told that the method does not exist. */
export const createWidgetHandlers = (context: HandlerContext): WidgetHandlers => {
  const requireWidget = (method: string): void => {
    if (context.family() !== 'openai')
      throw new CasementError('method-not-found', `Method not found: ${method}`);
  };
  const { onModal } = context.options;
  // A dialog is in the way of everything else.
  const modals = createRateLimit(3, 10_000);
  return {
    'casement/widget-state': (params) => {
      requireWidget('casement/widget-state');
      return keepWidgetState(context, params);
    },
    ...(onModal
      ? {
          'casement/modal': (params, { signal }) => {
            requireWidget('casement/modal');
            return askForModal(context, params, { onModal, modals, signal });
          },
        }
      : {}),
  };
};
