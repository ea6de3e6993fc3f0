import type { ErrorCode } from '@casement/protocol';
import type { CallGate } from '../call-gate.js';
import type { RequestLimits } from '../request-limits.js';
import type { HandlerContext } from './handler-context.js';
import { toServerFailure } from './server-failure.js';
import { toServerSignal } from './server-signal.js';

/** Does something at the app's server: in its turn, with a signal of its own, failing in words meant for an app. */
export type ServerRequest = <T>(
  request: AbortSignal,
  failure: ErrorCode,
  run: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/** The way of one session to its server. */
export const createServerRequest =
  (context: HandlerContext, gate: CallGate, { lingerMs }: RequestLimits): ServerRequest =>
  (request, failure, run) =>
    gate.run(request, async () => {
      const { signal, release } = toServerSignal(request, context.failed, lingerMs);
      try {
        return await run(signal);
      } catch (error) {
        throw toServerFailure(error, failure, context.recorder);
      } finally {
        release();
      }
    });
