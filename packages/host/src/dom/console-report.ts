import { toPrintable } from '@casement/protocol/basics';
import type { AppSnapshot } from '../core/state/app-snapshot.js';
import { toPolicyLine } from './policy-line.js';

/** Codes of findings that the developer of the page has to fix, not the author of the app. */
const ofPage = /^(?:storage|sandbox|evidence)-/;
const maxText = 2_000;
// Stands first, so that nothing in the text after it is read as a format.
const sender = '[Casement]';

/**
 * Tells those who run the page, on its console, what users are not told: each failure, each finding about the page's own
 * set-up, and, unless `logPolicy` is off, the policy in force. What a server said in it is shown as printable text.
 */
export const createConsoleReport = (options: {
  readonly server: string;
  readonly logPolicy: boolean;
}): { show(snapshot: AppSnapshot): void } => {
  const told = new Set<unknown>();
  let policy: AppSnapshot['policy'];
  let said = '';

  const toLine = (code: string, ...texts: readonly (string | undefined)[]): string =>
    [`${code}:`, ...texts.filter(Boolean).map((text) => toPrintable(text, maxText))].join(' ');
  const sayPolicy = (next: AppSnapshot['policy']): void => {
    if (!options.logPolicy || !next || next === policy) return;
    policy = next;
    const line = toPolicyLine(next, options.server);
    // A reload under the same policy is no news.
    // eslint-disable-next-line no-console -- the browser's console is where operators look for a policy
    if (line !== said) console.info(line);
    said = line;
  };

  return {
    show({ failure, status, findings, policy: next }) {
      sayPolicy(next);
      if (status === 'failed' && failure && !told.has(failure)) {
        told.add(failure);
        // eslint-disable-next-line no-console -- where developers of a page look first
        console.error(sender, toLine(failure.code, failure.message, failure.hint));
      }
      for (const { code, message, fix } of findings) {
        if (!ofPage.test(code) || told.has(code)) continue;
        told.add(code);
        // eslint-disable-next-line no-console -- as above
        console.warn(sender, toLine(code, message, fix));
      }
    },
  };
};
