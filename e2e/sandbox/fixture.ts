import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, type TestContext } from 'vitest';
import { closeContexts, openBrowser } from '../support/browser.js';
import { mountApp, mountOpaque, mountStatic, openHost, type Mounted } from './support.js';
import { startWorld, type World } from '../support/world.js';

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

/** Starts servers and browser once per file; its tests open their own pages. */
export const useSandboxServers = ({ subdomains = true } = {}): void => {
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld(), openBrowser({ subdomains })]);
  });
  afterAll(async () => {
    await closeContexts();
    await world?.close();
  });
};

/** A host page of its own for a test that runs beside others; it goes with the test. */
export const openOwnPage = async ({ onTestFinished }: TestContext): Promise<Page> => {
  const own = await openHost(browser, world.hostOrigin);
  onTestFinished(() => own.close());
  return own;
};

/** Starts everything once per file and gives each test a page; without subdomains only `localhost` resolves. */
export const useSandbox = ({ subdomains = true } = {}): void => {
  useSandboxServers({ subdomains });
  beforeEach(async () => {
    world.forget();
    page = await openHost(browser, toHostOrigin(subdomains));
  });
  afterEach(() => page.close());
};

type Mount = (html: string, params?: object, on?: Page, csp?: object) => Promise<Mounted>;

/** The three ways to run an app, all on a page whose names resolve: the test's, unless it has its own. */
export const variants: Readonly<Record<string, Mount>> = {
  'on an origin of its own': (html, params, on = page, csp) => mountApp(on, world, html, { csp }, params),
  'opaque under a header': (html, params, on = page, csp) =>
    mountOpaque(on, world, html, { hostOrigin: world.hostOrigin, csp }, params),
  'opaque in the static file': (html, params, on = page, csp) =>
    mountStatic(on, world, html, csp, { hostOrigin: world.hostOrigin, params }),
};
