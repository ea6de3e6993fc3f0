import { CasementError } from '@casement/protocol/basics';
import type { AppLeg } from '../leg/app-leg.js';

/** Notices an app whose document was replaced by one that is not an app. */
export interface LoadWatch {
  /** A loader is there: what it loads next is expected. */
  loaderReady(): void;
  /** A load of the inner frame; `left` when the app's own document said that it went away and no loader came since. */
  frameLoaded(left: boolean): void;
  /** The app is initialized, so it may be pinged now if a load put that in doubt. */
  appReady(): void;
}

/**
 * A blocked self-navigation leaves an error page, which fires a load event like any other. After a loader reported,
 * one load is its own and closing the written document fires at most one more; so after every load but the first the
 * app must show that it is there. An answer of any kind shows it, and so does anything else it sends meanwhile: the
 * proxy's frame-src lets no foreign page in that could send for it. Before initialized nothing may be sent to an app
 * (HOST-029), so the question waits until then. A document that leaves says so while it goes (the guest can
 * silence or forge that, to its own harm): a load after that, with no loader in between, needs no question at all.
 */
export const createLoadWatch = (options: {
  leg(): AppLeg | undefined;
  isReady(): boolean;
  pingMs: number;
  onGone(): void;
}): LoadWatch => {
  let loads = 0;
  let isInDoubt = false;

  const ask = (): void => {
    isInDoubt = false;
    const leg = options.leg();
    if (!leg) return;
    const asked = Date.now();
    leg.request('ping', {}, { timeoutMs: options.pingMs }).catch((error: unknown) => {
      const isUnanswered = error instanceof CasementError && error.code === 'peer-timeout';
      const isCurrent = options.leg() === leg && options.isReady();
      if (isUnanswered && isCurrent && leg.lastHeard <= asked) options.onGone();
    });
  };

  return {
    loaderReady() {
      loads = 0;
      isInDoubt = false;
    },
    frameLoaded(left) {
      loads += 1;
      if (left) return options.onGone();
      if (loads < 2) return;
      isInDoubt = true;
      if (options.isReady()) ask();
    },
    appReady() {
      if (isInDoubt) ask();
    },
  };
};
