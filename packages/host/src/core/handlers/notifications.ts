import type { PeerNotification } from '@casement/protocol';
import type { AppTools } from '../app-tools.js';
import type { HandlerContext } from './handler-context.js';
import { createRequestTeardown } from './request-teardown.js';

/** Takes the notifications of an app that are not part of the handshake; what is not named here needs no action. */
export const createNotificationHandler = (
  context: HandlerContext,
  appTools: AppTools,
): ((notification: PeerNotification) => void) => {
  const requestTeardown = createRequestTeardown(context);
  return (notification) => {
    switch (notification.method) {
      case 'ui/notifications/size-changed':
        return context.resize(notification.params);
      case 'notifications/message': {
        // HOST-046: to the embedder's log and the recording, never to a conversation.
        const { level, logger, data } = notification.params;
        return context.options.onLog?.({ level, ...(logger === undefined ? {} : { logger }), data });
      }
      case 'ui/notifications/request-teardown':
        void requestTeardown();
        return;
      case 'notifications/tools/list_changed':
        return appTools.listChanged();
      case 'notifications/progress':
        return appTools.progress(notification.params);
      default:
    }
  };
};
