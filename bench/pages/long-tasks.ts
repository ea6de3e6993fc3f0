/** What held up the page's thread since the last look. */
interface Held {
  /** The longest task in ms; 0 when none was over 50 ms, which is all a browser tells. */
  readonly longest: number;
  /** The longest time between two beats of a 10 ms clock, other processes' share included. */
  readonly gap: number;
}

/** Watches the thread of this page. Long tasks are told late: pause before taking. */
export const watchThread = (): { take(): Held; stop(): void } => {
  let longest = 0;
  let gap = 0;
  let last = performance.now();
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  });
  observer.observe({ entryTypes: ['longtask'] });
  const clock = setInterval(() => {
    const now = performance.now();
    gap = Math.max(gap, now - last);
    last = now;
  }, 10);
  return {
    take() {
      const held = { longest, gap };
      longest = gap = 0;
      return held;
    },
    stop() {
      clearInterval(clock);
      observer.disconnect();
    },
  };
};
