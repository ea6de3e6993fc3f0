import { createRateLimit, refuseRate } from '../loaded/loaded.js';
import type { HandlerContext } from './handler-context.js';

const teardownMethod = 'ui/notifications/request-teardown';

/** Makes what closes an app that asks for it, in the orderly way (HOST-090, HOST-091), unless the embedder says no (HOST-089). */
export const createRequestTeardown = (context: HandlerContext): (() => Promise<void>) => {
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
