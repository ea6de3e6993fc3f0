import type { DisplayMode, RequestHandlers } from '@casement/protocol';
import type { Decision } from '../policy/decision.js';
import { refuseClosing, refuseUnasked } from '../policy/policy.js';
import { createRateLimit, decideDisplayMode, refuseRate } from '../loaded/loaded.js';
import type { HandlerContext } from './handler-context.js';

/** Answers with the mode in force afterwards, changed or not, never with an error (HOST-049, HOST-050). */
export const createRequestDisplayMode = (
  context: HandlerContext,
): RequestHandlers['ui/request-display-mode'] => {
  const limit = createRateLimit(10, 10_000);
  const { displayMode, options, recorder, surface } = context;

  const decide = async (mode: DisplayMode): Promise<Decision> => {
    if (context.closing.aborted) return refuseClosing;
    if (!limit.take()) return refuseRate('ui/request-display-mode');
    const decision = decideDisplayMode(mode, displayMode.offered(), displayMode.declared());
    // Covering the page is for the user to start; going back inline is always fine (B24).
    const isUnasked = decision.allow && mode !== 'inline' && !(await surface.hasUserActivation());
    if (context.closing.aborted) return refuseClosing;
    return isUnasked ? refuseUnasked : decision;
  };

  return async ({ mode }, { signal }) => {
    /** Whoever asked is gone, or took it back. */
    const isOver = (): boolean => signal.aborted || context.closing.aborted || !context.isServing();
    const current = displayMode.current();
    if (mode === current) return { mode };
    const decision = await decide(mode);
    recorder.decision('ui/request-display-mode', decision, { mode });
    if (!decision.allow || isOver()) return { mode: current };
    const granted = options.onDisplayMode ? await options.onDisplayMode({ mode, current }) : mode;
    // The hook may name any mode; the rules hold for that one as well.
    if (decideDisplayMode(granted, displayMode.offered(), displayMode.declared()).allow && !isOver()) {
      displayMode.apply(granted);
    }
    return { mode: displayMode.current() };
  };
};
