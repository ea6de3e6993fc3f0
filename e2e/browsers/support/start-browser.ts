import { toBrowserPage, type BrowserPage } from './browser-page.js';
import type { Driver, DriverOptions } from './driver.js';
import { startFirefox } from './firefox.js';
import { startChromium, startWebKit } from './http-driver.js';

const starters = { chromium: startChromium, firefox: startFirefox, webkit: startWebKit };

/** The browsers the product is tried in. */
export type BrowserName = keyof typeof starters;

/** All of them; Chromium is the control, which the other tests of the product run in. */
export const browserNames = ['chromium', 'firefox', 'webkit'] as const satisfies BrowserName[];

/** One browser with one empty page. */
export interface StartedBrowser extends BrowserPage {
  close(): Promise<void>;
}

const setTimeouts = async (driver: Driver): Promise<void> => {
  await driver.send('SetTimeouts', { script: 60_000, pageLoad: 60_000, implicit: 0 });
};

/** Starts a browser with a new profile. */
export const startBrowser = async (name: BrowserName, options?: DriverOptions): Promise<StartedBrowser> => {
  const driver = await starters[name](options);
  await setTimeouts(driver);
  return { ...toBrowserPage(driver), close: () => driver.close() };
};
