import type { AppSnapshot } from '../core/app-snapshot.js';

/** What the page's developer should mend, not the app's author. */
const ofPage = /^(?:storage|sandbox)-/;

/** Tells the developer of the page, on its console, what users are not told; each thing once. */
export const createConsoleReport = (): { show(snapshot: AppSnapshot): void } => {
  const told = new Set<unknown>();
  return {
    show({ failure, status, findings }) {
      if (status === 'failed' && failure && !told.has(failure)) {
        told.add(failure);
        // eslint-disable-next-line no-console -- where developers of a page look first
        console.error('[Casement]', `${failure.code}:`, failure.message, failure.hint ?? '');
      }
      for (const { code, message, fix } of findings) {
        if (!ofPage.test(code) || told.has(code)) continue;
        told.add(code);
        // eslint-disable-next-line no-console -- as above
        console.warn('[Casement]', `${code}:`, message, fix);
      }
    },
  };
};
