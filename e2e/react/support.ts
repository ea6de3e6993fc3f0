import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startWorld, type World } from '../sandbox/support.js';
import { launchBrowser } from '../support/browser.js';
import { waitUntil } from '../support/eventually.js';

const bundleReact = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./react-globals.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  return outputFiles[0]?.text ?? '';
};

/** Browser, servers and, for each test, a new page with React and the components as globals. */
export const useReactPage = () => {
  // Filled before the first test runs.
  const host = {} as { browser: Browser; world: World; page: Page; errors: string[] };
  let bundle = '';
  beforeAll(async () => {
    [host.browser, host.world, bundle] = await Promise.all([launchBrowser(), startWorld(), bundleReact()]);
  });
  beforeEach(async () => {
    host.page = await host.browser.newPage();
    host.errors = [];
    host.page.on('console', (message) => {
      if (message.type() === 'error') host.errors.push(message.text());
    });
    host.page.on('pageerror', (error) => host.errors.push(error.message));
    await host.page.goto(`${host.world.hostOrigin}/`);
    await host.page.addScriptTag({ content: bundle });
  });
  afterEach(() => host.page.close());
  afterAll(async () => {
    await host.browser?.close();
    await host.world?.close();
  });
  return host;
};

/** The document of the app itself, in the n-th frame of the page. */
export const guestOf = async (page: Page, index = 0): Promise<Frame> => {
  const frame = await waitUntil(
    async () => {
      const handle = await page.locator('iframe').nth(index).elementHandle();
      return (await handle?.contentFrame())?.childFrames()[0];
    },
    (inner) => inner !== undefined,
    { what: 'The frame of the app' },
  );
  if (!frame) throw new Error('The app has no frame.');
  return frame;
};

/** What the page kept under a name. */
export const seen = (page: Page, name: string): Promise<unknown[]> =>
  page.evaluate((key) => window.seen[key] ?? [], name);

/** Notifications a guest got, by method. */
export const received = async (page: Page, method: string): Promise<unknown[]> =>
  (await guestOf(page)).evaluate(
    (name) =>
      // The guest's bridge keeps them under this name.
      (
        globalThis as unknown as { bridge: { received: { method?: string; params?: unknown }[] } }
      ).bridge.received
        .filter((message) => message.method === name)
        .map(({ params }) => params),
    method,
  );
