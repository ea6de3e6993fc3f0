import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

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
