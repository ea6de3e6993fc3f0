import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { startWorld, type World } from '../support/world.js';
import { closeContexts, openBrowser } from '../support/browser.js';
import { useTab } from '../support/tab.js';
import { furnish, openPage } from './support.js';

/** The servers of this test file, and the page with the host that the running test has: live bindings. */
export let world: World;
export let page: Page;
let browser: Browser;

const usual = { width: 900, height: 700 };

/** A page of another look in place of the test's own; it goes with the test. */
export const renewPage = async (look: Parameters<typeof openPage>[2]): Promise<void> => {
  const renewed = await openPage(browser, world.hostOrigin, look);
  onTestFinished(() => renewed.close());
  page = renewed;
};

/** Starts servers and browser once per file; its tests open their own pages. */
export const useHostServers = (): void => {
  beforeAll(async () => {
    [browser, world] = await Promise.all([openBrowser(), startWorld()]);
  });
  afterAll(async () => {
    await closeContexts();
    await world?.close();
  });
};

/** A page of its own for a test that runs beside others; it goes with the browser. */
export const openOwnPage = (): Promise<Page> => openPage(browser, world.hostOrigin, { viewport: usual });

/** Starts everything once per file and gives each test a page that can mount apps. */
export const useHostPage = (viewport = usual): void => {
  useHostServers();
  const tab = useTab({ viewport });
  beforeEach(async () => {
    page = await furnish(await tab.open(browser, `${world.hostOrigin}/`));
  });
};
