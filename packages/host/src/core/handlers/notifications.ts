import type { PeerNotification } from '@casement/protocol';
import type { AppTools } from '../app-tools/app-tools.js';
import type { HandlerContext } from './handler-context.js';

/** Makes what takes an app's notifications, but those of its handshake and its frame; what is not named needs no action. */
export const createNotificationHandler = (
  context: HandlerContext,
  appTools: AppTools,
  requestTeardown: () => void,
): ((notification: PeerNotification) => void) => {
  return (notification) => {
    switch (notification.method) {
      case 'notifications/message': {
        // HOST-046: to the embedder's log and the recording, never to a conversation.
        const { level, logger, data } = notification.params;
        return context.options.onLog?.({ level, ...(logger === undefined ? {} : { logger }), data });
      }
      case 'ui/notifications/request-teardown':
        return requestTeardown();
      case 'notifications/tools/list_changed':
        return appTools.listChanged();
      case 'notifications/progress':
        return appTools.progress(notification.params);
      default:
    }
  };
};
