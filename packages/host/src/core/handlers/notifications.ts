import type { PeerNotification } from '@casement/protocol';
import type { HandlerContext } from './handler-context.js';

/** Takes the notifications of an app that are not part of the handshake; what is not named here needs no action. */
export const handleNotification = (context: HandlerContext, notification: PeerNotification): void => {
  switch (notification.method) {
    case 'ui/notifications/size-changed':
      return context.resize(notification.params);
    case 'notifications/message': {
      // HOST-046: to the embedder's log and the recording, never to a conversation.
      const { level, logger, data } = notification.params;
      return context.options.onLog?.({ level, ...(logger === undefined ? {} : { logger }), data });
    }
    default:
  }
};
