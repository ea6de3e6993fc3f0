import type { Decision } from './decision.js';

/** Counts events in a sliding window; `take` is false once the window is full. */
export interface RateLimit {
  take(): boolean;
  /** Takes the last counted event back. */
  giveBack(): void;
}

/** Creates a limit of `count` events in any `windowMs` milliseconds. */
export const createRateLimit = (count: number, windowMs: number, now: () => number = Date.now): RateLimit => {
  const taken: number[] = [];
  return {
    take() {
      const time = now();
      while (taken.length > 0 && time - (taken[0] ?? 0) >= windowMs) taken.shift();
      if (taken.length >= count) return false;
      taken.push(time);
      return true;
    },
    giveBack: () => void taken.pop(),
  };
};

/** A refusal because something was asked too often. */
export const refuseRate = (what: string): Decision & { allow: false } => ({
  allow: false,
  code: 'rate-limited',
  reason: `The app asked too often: ${what}.`,
  hint: 'Ask once, after something the user did, and wait for the answer.',
});
