import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { addBundle } from '../../support/bundle.js';
import { waitUntil } from '../../support/eventually.js';
import { guestIn, reportOf } from '../../support/guest.js';
import type { ContractChanges, ContractSpec, Heard } from './page-contract.js';

/** The ways to embed an app that must behave alike; each is a page with the same few handles. */
export const drivers = [
  { name: '<mcp-app>', file: './element-page.ts', root: 'mcp-app' },
  { name: '<McpApp> in StrictMode', file: './react-page.ts', root: '[data-app-status]' },
] as const;

export type Driver = (typeof drivers)[number];

/** Makes an empty page one that can show one app in the driver's way. */
export const furnish = async (page: Page, driver: Driver) => {
  await addBundle(page, { entryPoints: [join(import.meta.dirname, driver.file)] });
  return toContract(page, driver);
};

export type Contract = Awaited<ReturnType<typeof furnish>>;

const toContract = (page: Page, { root }: Driver) => {
  const snapshot = () => page.evaluate(() => window.contract.snapshot());
  const status = async () => (await snapshot())?.status;

  const guest = (): Promise<Frame> => guestIn(page.locator('iframe').first());
  return {
    page,
    snapshot,
    guest,
    show: (spec: ContractSpec) => page.evaluate((given) => window.contract.show(given), spec),
    showOther: (spec: ContractSpec) => page.evaluate((given) => window.contract.showOther(given), spec),
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
    report: async (): Promise<unknown> => reportOf(await guest()),
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
