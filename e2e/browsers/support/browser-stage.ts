import type { AppSnapshot } from '@casement/host';
import type { RecordingEntry } from '@casement/protocol';
import { waitUntil } from '../../support/eventually.js';
import { toDeepLink, type DeepLink, type StageWindow } from '../../support/stage.js';
import type { BrowserPage } from './browser-page.js';

/** The inspector's stage in any browser, seen through its automation contract. */
export interface BrowserStage {
  readonly page: BrowserPage;
  open(url: string, link?: DeepLink): Promise<void>;
  status(): Promise<string | null>;
  failure(): Promise<string | null>;
  /** Waits for a status; ends early, with the reason, when the app failed instead. */
  reaches(status: AppSnapshot['status'], timeout?: number): Promise<void>;
  snapshot(): Promise<AppSnapshot | undefined>;
  recording(): Promise<RecordingEntry[]>;
  /** What the page shows there. */
  textOf(selector: string): Promise<string>;
  textOfApp(selector: string): Promise<string>;
  /** The origins of the page, the proxy and the app. */
  origins(): Promise<string[]>;
}

const readText = (selector: string): string =>
  [...document.querySelectorAll<HTMLElement>(selector)].map((one) => one.innerText).join('\n');

/** The stage on a browser's page. */
export const toBrowserStage = (page: BrowserPage): BrowserStage => {
  const attribute = (name: string): Promise<string | null> =>
    page.run(0, (wanted) => document.getElementById('stage')?.getAttribute(wanted) ?? null, name);
  // As JSON text, because not every driver passes what is undefined.
  const snapshot = async (): Promise<AppSnapshot | undefined> =>
    JSON.parse(
      await page.run(0, () => JSON.stringify((window as StageWindow).casement?.snapshot() ?? null)),
    ) ?? undefined;
  return {
    page,
    open: (url, link = {}) => page.goto(toDeepLink(url, link)),
    status: () => attribute('data-app-status'),
    failure: () => attribute('data-app-failure'),
    reaches: async (status, timeout = 30_000) => {
      const reached = await waitUntil(
        () => attribute('data-app-status'),
        (current) => [status, 'failed'].includes(current ?? ''),
        { what: `the status ${status}`, timeout },
      );
      if (reached === status) return;
      throw new Error(`expected ${status}, but ${reached}: ${JSON.stringify((await snapshot())?.failure)}`);
    },
    snapshot,
    recording: async () =>
      JSON.parse(
        await page.run(0, () => JSON.stringify((window as StageWindow).casement?.recording() ?? [])),
      ),
    textOf: (selector) => page.run(0, readText, selector),
    textOfApp: (selector) => page.run(2, readText, selector),
    origins: async () => [
      await page.run(0, () => self.origin),
      await page.run(1, () => self.origin),
      await page.run(2, () => self.origin),
    ],
  };
};
