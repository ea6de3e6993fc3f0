import { CasementError } from '@casement/protocol/start';
import type { AppLeg } from './app-frame.js';

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
 * Creates the watch over the loads of one app's inner frame.
 *
 * A blocked navigation leaves an error page in the frame, and that page fires a load event too. The loader's own
 * document fires one load, and closing the document it writes fires at most one more. So after every load but the
 * first, the app is pinged. Any answer, or any other message in the meantime, proves that it is there: `frame-src` of
 * the proxy lets no foreign page in that could answer for it. Nothing may be sent to an app before it is initialized
 * (HOST-029), so the ping waits until then.
 *
 * A document that goes away reports that itself. (The guest can suppress or forge this report, and harms only itself.)
 * A load after such a report, without a new loader, needs no ping: the app is gone.
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
