import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { drawTwice } from './guest.js';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe holds against a page, serious or worse unless said; what is inside an app's frame is the app's affair. */
export const readFaults = async (page: Page, { every = false } = {}): Promise<string[]> => {
  // Evaluated, not added as a tag: the policy of a page rightly refuses foreign scripts.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const { violations } = await page.evaluate(
    // The source above put it there; no type can know that.
    () =>
      (window as unknown as { axe: { run(...args: unknown[]): Promise<AxeResults> } }).axe.run(document, {
        resultTypes: ['violations'],
        iframes: false,
        // It would fetch style sheets and sounds for rules that are not asked for.
        preload: false,
      }),
  );
  return violations
    .filter(({ impact }) => every || impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
};

type Scheme = 'light' | 'dark';

interface InBothSchemes {
  readonly every?: boolean;
  /** Sees to it that the page has taken the colours it was given, where it needs more than a style sheet for that. */
  readonly onScheme?: (scheme: Scheme) => Promise<void>;
}

/**
 * The same in light and in dark colours, and stays in those it did not begin with: a state that takes long to reach is
 * reached once, and looked at twice. The browser changes its colours as a system does in the evening.
 */
export const readFaultsInBothSchemes = async (
  page: Page,
  { onScheme, ...options }: InBothSchemes = {},
): Promise<string[]> => {
  const readNow = async (scheme: Scheme): Promise<string[]> =>
    (await readFaults(page, options)).map((fault) => `${scheme}: ${fault}`);
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const [first, second] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  const faults = await readNow(first);
  await page.emulateMedia({ colorScheme: second });
  await onScheme?.(second);
  // A colour on its way from one to the other has neither's contrast.
  await drawTwice(page);
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map(({ finished }) => finished.catch(() => undefined)),
    ).then(() => undefined),
  );
  return [...faults, ...(await readNow(second))];
};
