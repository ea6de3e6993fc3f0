/** Asks again and again, politely: only while somebody looks, never twice at once, and less often if it takes long. */
interface Poll {
  set(isOn: boolean): void;
  /** Asks soon, whether it is on or not. */
  now(): void;
}

const leastMs = 2_000;
const mostMs = 30_000;
/** A server that announces changes without end is asked this often. */
const soonMs = 250;
/** Of the time between two questions, asking takes at most this part. */
const part = 1 / 20;

/** Creates a poll that is off. */
export const createPoll = (ask: () => Promise<void>): Poll => {
  let isOn = false;
  let isAsking = false;
  let waitMs = leastMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let at = Infinity;

  const plan = (ms: number): void => {
    const due = performance.now() + ms;
    if (due >= at) return;
    clearTimeout(timer);
    at = due;
    timer = setTimeout(run, ms);
  };
  const planNext = (): void => {
    if (isOn && !document.hidden) plan(waitMs);
  };
  const run = async (): Promise<void> => {
    at = Infinity;
    if (isAsking) return plan(soonMs);
    isAsking = true;
    const begun = performance.now();
    // A server that does not answer is asked less and less often.
    const isAnswered = await ask().then(
      () => true,
      () => false,
    );
    isAsking = false;
    const wished = isAnswered ? (performance.now() - begun) / part : waitMs * 2;
    waitMs = Math.min(mostMs, Math.max(leastMs, wished));
    planNext();
  };
  document.addEventListener('visibilitychange', () => {
    if (isOn && !document.hidden) plan(soonMs);
  });
  return {
    set(next) {
      if (next === isOn) return;
      isOn = next;
      waitMs = leastMs;
      if (isOn) return planNext();
      clearTimeout(timer);
      at = Infinity;
    },
    now: () => plan(soonMs),
  };
};
