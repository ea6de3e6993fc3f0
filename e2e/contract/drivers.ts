import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Frame, Page } from 'playwright-core';
import { waitUntil } from '../support/eventually.js';
import type { ContractChanges, ContractSpec, Heard } from './page-contract.js';

const bundlePage = async (file: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  return outputFiles[0]?.text ?? '';
};

/** The ways to embed an app that must behave alike; each is a page with the same few handles. */
export const drivers = [
  { name: '<mcp-app>', file: './element-page.ts', root: 'mcp-app' },
  { name: '<McpApp> in StrictMode', file: './react-page.ts', root: '[data-app-status]' },
] as const;

export type Driver = (typeof drivers)[number];

const bundles = new Map<string, Promise<string>>();

/** Opens a page that can show one app in the driver's way. */
export const openContractPage = async (browser: Browser, origin: string, driver: Driver) => {
  const bundle = bundles.get(driver.file) ?? bundlePage(driver.file);
  bundles.set(driver.file, bundle);
  const page = await browser.newPage();
  await page.goto(`${origin}/`);
  await page.addScriptTag({ content: await bundle });
  return toContract(page, driver);
};

export type Contract = Awaited<ReturnType<typeof openContractPage>>;

const toContract = (page: Page, { root }: Driver) => {
  const snapshot = () => page.evaluate(() => window.contract.snapshot());
  const status = async () => (await snapshot())?.status;

  const guest = async (): Promise<Frame> => {
    const handle = await page.waitForSelector('iframe', { state: 'attached' });
    const proxy = await handle.contentFrame();
    const frame = await waitUntil(
      () => proxy?.childFrames()[0],
      (inner) => inner !== undefined,
      { what: 'The frame of the app' },
    );
    if (!frame) throw new Error('The app has no frame.');
    return frame;
  };
  return {
    page,
    snapshot,
    guest,
    show: (spec: ContractSpec) => page.evaluate((given) => window.contract.show(given), spec),
    change: (changes: ContractChanges) => page.evaluate((given) => window.contract.change(given), changes),
    reaches: (wanted: string) => waitUntil(status, (now) => now === wanted, { what: `The status ${wanted}` }),
    remove: () => page.evaluate(() => window.contract.remove()),
    /** Values of one kind the page heard so far, oldest first. */
    heard: (what: string): Promise<unknown[]> =>
      page.evaluate(
        (name) =>
          window.contract.heard
            .filter((entry: Heard) => entry.what === name)
            .map((entry: Heard) => entry.value),
        what,
      ),
    /** The attribute data-app-status as a style sheet or a test of the embedder sees it. */
    shownStatus: () => page.getAttribute(root, 'data-app-status'),
    /** What the guest reported. */
    report: async (): Promise<unknown> => {
      const element = await (await guest()).waitForSelector('#report[data-done]', { state: 'attached' });
      return JSON.parse((await element.textContent()) ?? 'null');
    },
    /** Notifications the guest got whose method starts so, as [rest of the method, params]. */
    received: async (start: string): Promise<unknown[]> =>
      (await guest()).evaluate(
        (prefix) =>
          // The guest's bridge keeps them under this name.
          (
            globalThis as unknown as { bridge: { received: { method?: string; params?: unknown }[] } }
          ).bridge.received
            .filter(({ method }) => method?.startsWith(prefix))
            .map(({ method, params }) => [method?.slice(prefix.length), params]),
        start,
      ),
    frames: () => page.locator('iframe').count(),
  };
};
