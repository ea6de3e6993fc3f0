import type { EvidenceQueue } from '../evidence-queue.js';

/** Reports the first paint of content, and tasks that kept the page's thread for long. */
export const watchPaint = (add: EvidenceQueue['add'], onPaint: () => void): void => {
  const { timeOrigin } = performance;
  const watch = (type: string, take: (entry: PerformanceEntry) => void): void => {
    // A type the browser does not know is passed over.
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry);
    }).observe({ type, buffered: true });
  };
  watch('paint', ({ name, startTime }) => {
    if (name !== 'first-contentful-paint') return;
    add({ kind: 'painted' }, timeOrigin + startTime);
    onPaint();
  });
  watch('longtask', ({ startTime, duration }) =>
    add({ kind: 'long-task', ms: duration }, timeOrigin + startTime),
  );
};
