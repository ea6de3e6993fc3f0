import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startWorld, type World } from '../sandbox/support.js';
import { launchBrowser } from '../support/browser.js';
import { openPage } from './support.js';

/** The servers of this test file, and the page with the host that the running test has: live bindings. */
export let world: World;
export let page: Page;
let browser: Browser;

const usual = { width: 900, height: 700 };

/** A fresh page of another look in place of the test's own. */
export const renewPage = async (look: Parameters<typeof openPage>[2]): Promise<void> => {
  await page.close();
  page = await openPage(browser, world.hostOrigin, look);
};

/** Starts servers and browser once per file; its tests open their own pages. */
export const useHostServers = (): void => {
  beforeAll(async () => {
    [browser, world] = await Promise.all([launchBrowser(), startWorld()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
};

/** A page of its own for a test that runs beside others; it goes with the browser. */
export const openOwnPage = (): Promise<Page> => openPage(browser, world.hostOrigin, { viewport: usual });

/** Starts everything once per file and gives each test a page that can mount apps. */
export const useHostPage = (viewport = usual): void => {
  useHostServers();
  beforeEach(async () => {
    page = await openPage(browser, world.hostOrigin, { viewport });
  });
  afterEach(() => page.close());
};
