import type { RequestHandlers, RequestMethod } from '@casement/protocol';
import { LATEST_PROTOCOL_VERSION } from '@casement/protocol';
import { toHostCapabilities } from '../host-capabilities.js';
import { refuseRate } from '../policy.js';
import { createRateLimit } from '../rate-limit.js';
import type { HandlerContext } from './handler-context.js';

/** Answers ui/initialize, each time: development builds of apps send it twice, and the latest counts (B07). */
export const createInitialize = (
  context: HandlerContext,
  answered: ReadonlySet<RequestMethod>,
): RequestHandlers['ui/initialize'] => {
  const limit = createRateLimit(20, 10_000);
  return (params) => {
    if (!limit.take()) context.enforce('ui/initialize', refuseRate('ui/initialize'));
    if (params.protocolVersion !== LATEST_PROTOCOL_VERSION) {
      context.recorder.note('finding', {
        code: 'unsupported-version',
        message: `The app asked for protocol version ${params.protocolVersion.slice(0, 40)}; it was answered ${LATEST_PROTOCOL_VERSION}.`,
        fix: `Send protocolVersion "${LATEST_PROTOCOL_VERSION}" in ui/initialize.`,
      });
    }
    return context.initialize(params, (policy) => toHostCapabilities(answered, policy));
  };
};
