import type { PeerNotification } from '@casement/protocol';
import type { AppTools } from '../app-tools/app-tools.js';
import type { HandlerContext } from './handler-context.js';
import { createRateLimit, refuseRate } from '../policy/rate-limit.js';

const teardownMethod = 'ui/notifications/request-teardown';

/** Makes what takes an app's notifications, but those of its handshake and its frame; what is not named needs no action. */
export const createNotificationHandler = (
  context: HandlerContext,
  appTools: AppTools,
): ((notification: PeerNotification) => void) => {
  const requestTeardown = createRequestTeardown(context);
  return (notification) => {
    switch (notification.method) {
      case 'notifications/message': {
        // HOST-046: to the embedder's log and the recording, never to a conversation.
        const { level, logger, data } = notification.params;
        return context.options.onLog?.({ level, ...(logger === undefined ? {} : { logger }), data });
      }
      case teardownMethod:
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

/** Makes what closes an app that asks for it, in the orderly way (HOST-090, HOST-091), unless the embedder says no (HOST-089). */
const createRequestTeardown = (context: HandlerContext): (() => Promise<void>) => {
  const { options, recorder } = context;
  const limit = createRateLimit(3, 10_000);
  let isAsking = false;

  return async () => {
    if (!context.isServing() || context.closing.aborted) return;
    if (isAsking || !limit.take()) return recorder.decision(teardownMethod, refuseRate(teardownMethod));
    isAsking = true;
    try {
      const isGranted = (await options.onRequestTeardown?.()) ?? true;
      recorder.lifecycle('request-teardown', { granted: isGranted });
      if (isGranted && context.isServing()) context.close('The app asked for it.');
    } catch (error) {
      recorder.note('error', { method: teardownMethod, message: String(error) });
    } finally {
      isAsking = false;
    }
  };
};
