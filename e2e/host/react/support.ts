import { join } from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startWorld, type World } from '../../support/world.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { addBundle } from '../../support/bundle.js';
import { guestIn, receivedBy } from '../../support/guest.js';
import { useTab } from '../../support/tab.js';

const globals = { entryPoints: [join(import.meta.dirname, 'react-globals.ts')] };

/** Browser, servers and, for each test, a new page with React and the components as globals. */
export const useReactPage = () => {
  // Filled before the first test runs.
  const host = {} as { browser: Browser; world: World; page: Page; errors: string[] };
  const tab = useTab();
  beforeAll(async () => {
    [host.browser, host.world] = await Promise.all([openBrowser(), startWorld()]);
  });
  beforeEach(async () => {
    host.page = await tab.open(host.browser, `${host.world.hostOrigin}/`);
    host.errors = [];
    host.page.on('console', (message) => {
      if (message.type() === 'error') host.errors.push(message.text());
    });
    host.page.on('pageerror', (error) => host.errors.push(error.message));
    await addBundle(host.page, globals);
  });
  afterAll(async () => {
    await closeContexts();
    await host.world?.close();
  });
  return host;
};

/** The document of the app itself, in the n-th frame of the page. */
export const guestOf = (page: Page, index = 0): Promise<Frame> => guestIn(page.locator('iframe').nth(index));

/** What the page kept under a name. */
export const seen = (page: Page, name: string): Promise<unknown[]> =>
  page.evaluate((key) => window.seen[key] ?? [], name);

/** Notifications a guest got, by method. */
export const received = async (page: Page, method: string): Promise<unknown[]> =>
  receivedBy(await guestOf(page), method);
