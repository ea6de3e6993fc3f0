import { allow, CasementError, createRateLimit, refuse, refuseRate, toRefusal } from '../loaded/loaded.js';
import type { ParamsOf, RequestHandlers } from '@casement/protocol';
import { toKnownSampling } from '@casement/protocol';
import type { Decision } from '../policy/decision.js';
import { toDenial } from '../policy/policy.js';
import type { SessionLimits } from '../limits.js';
import type { SessionOptions } from '../session-options.js';
import type { Consent } from '../consent/consent.js';
import type { HandlerContext } from './handler-context.js';

const method = 'sampling/createMessage';

/** Asks the embedder's model for an app: seldom, one answer at a time, short, and with the user's consent (HOST-082). */
export const createSampling = (
  context: HandlerContext,
  consent: Consent,
  limits: SessionLimits,
  hooks: Required<Pick<SessionOptions, 'onSampling' | 'createMessage'>>,
): RequestHandlers['sampling/createMessage'] => {
  const rate = createRateLimit(limits.maxSamplingPerMinute, 60_000);
  let isBusy = false;

  const decide = (given: ParamsOf<'sampling/createMessage'>): Decision => {
    const { length } = JSON.stringify(given);
    if (length > limits.maxSamplingLength) {
      return refuse(
        'sampling-refused',
        `The question has ${length} characters.`,
        `Send at most ${limits.maxSamplingLength}.`,
      );
    }
    if (given.messages.length === 0 || given.maxTokens < 1) {
      return refuse('sampling-refused', 'The question is empty.', 'Send a message and at least one token.');
    }
    // HOST-083: hostCapabilities.sampling.tools is not declared.
    if ('tools' in given || 'toolChoice' in given) {
      return refuse('sampling-refused', 'The model gets no tools from an app.', 'Leave tools out.');
    }
    if (isBusy || !rate.take()) return refuseRate(method);
    return allow('A question within the limits.');
  };

  return async (given, { signal }) => {
    context.enforce(method, decide(given));
    isBusy = true;
    try {
      const known = toKnownSampling(given);
      const maxTokens = Math.min(Math.floor(given.maxTokens), limits.maxSamplingTokens);
      const params = { ...known, maxTokens };
      const isTaken = await consent({
        method,
        kind: 'sampling',
        denial: 'sampling-denied',
        details: { maxTokens: params.maxTokens, messages: params.messages.length },
        signal,
        ask: (options) => hooks.onSampling({ app: context.app(), params }, options),
      });
      if (!isTaken) throw toRefusal(toDenial('sampling-denied'));
      return await hooks.createMessage(params, { signal });
    } catch (error) {
      if (signal.aborted || error instanceof CasementError) throw error;
      // The embedder's model failed, not the host; its words may name accounts and keys.
      context.recorder.note('error', { method, message: String(error) });
      throw new CasementError('sampling-refused', 'The model did not answer.', { hint: 'Try again later.' });
    } finally {
      isBusy = false;
    }
  };
};
