import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, onTestFinished } from 'vitest';
import { spoilContext } from './borrowed-page.js';

type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme'>;

/** Takes back what a test did to its tab, besides the document. */
const restore = async (page: Page, { viewport, colorScheme = null }: Look): Promise<void> => {
  const context = page.context();
  for (const event of ['console', 'pageerror', 'dialog', 'request', 'response'] as const)
    page.removeAllListeners(event);
  context.removeAllListeners('page');
  await Promise.all([
    ...context
      .pages()
      .filter((other) => other !== page)
      .map((other) => other.close()),
    context.clearCookies(),
    context.clearPermissions(),
    page.unrouteAll(),
    page.emulateMedia({ colorScheme, reducedMotion: null, forcedColors: null, media: null }),
    ...(viewport ? [page.setViewportSize(viewport)] : []),
  ]);
};

/**
 * A tab that the tests of a file use one after another, each with a new document and empty storage: that costs half as
 * much as a new tab. A test that did what no document takes back, such as set the page's clock, closes the page; so
 * does one that failed. The next one gets a new tab.
 */
export const useTab = (look: Look = {}) => {
  let page: Page | undefined;
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await page?.close();
  });
  return {
    /** The tab with an empty document of this address. */
    open: async (browser: Browser, url: string): Promise<Page> => {
      if (page && !page.isClosed()) await restore(page, look);
      else page = await browser.newPage(look);
      await page.goto(url);
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      return page;
    },
  };
};

/** Gives the page of this test a clock that only the test winds; no other test gets that page. */
export const installClock = async (page: Page): Promise<void> => {
  spoilContext(page);
  onTestFinished(() => page.close());
  await page.clock.install();
};
