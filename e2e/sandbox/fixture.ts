import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { launchBrowser } from '../support/browser.js';
import {
  mountApp,
  mountOpaque,
  mountStatic,
  openHost,
  startWorld,
  type Mounted,
  type World,
} from './support.js';

/** The servers and the browser of this test file, and the bare host page of the test that runs: live bindings. */
export let world: World;
export let browser: Browser;
export let page: Page;

const toHostOrigin = (subdomains: boolean): string => (subdomains ? world.hostOrigin : world.localhostOrigin);

/** A fresh host page in place of the test's own. */
export const renewPage = async ({ subdomains = true } = {}): Promise<void> => {
  await page.close();
  page = await openHost(browser, toHostOrigin(subdomains));
};

/** Starts everything once per file and gives each test a page; without subdomains only `localhost` resolves. */
export const useSandbox = ({ subdomains = true } = {}): void => {
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld(), launchBrowser({ subdomains })]);
  });
  beforeEach(async () => {
    world.forget();
    page = await openHost(browser, toHostOrigin(subdomains));
  });
  afterEach(() => page.close());
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
};

/** The three ways to run an app, all on a page whose names resolve. */
export const variants: Readonly<Record<string, (html: string, params?: object) => Promise<Mounted>>> = {
  'on an origin of its own': (html, params) => mountApp(page, world, html, {}, params),
  'opaque under a header': (html, params) =>
    mountOpaque(page, world, html, { hostOrigin: world.hostOrigin }, params),
  'opaque in the static file': (html, params) =>
    mountStatic(page, world, html, undefined, { hostOrigin: world.hostOrigin, params }),
};
