import { chromium, type Browser, type BrowserContext } from 'playwright-core';
// @ts-expect-error -- scripts are plain JavaScript without types
import { toChromiumArgs } from '../../scripts/lib/chromium-args.mjs';

// Scripts are plain JavaScript; this one returns what Chromium is started with.
const toArgs = toChromiumArgs as (
  options: Record<'subdomains' | 'isolation' | 'optimizer', boolean>,
) => string[];

const toLaunchOptions = (subdomains: boolean) => ({
  executablePath: process.env.CASEMENT_CHROMIUM ?? '/usr/bin/chromium',
  // vitest.config.ts says which tests do without the one or the other.
  args: toArgs({
    subdomains,
    isolation: process.env.CASEMENT_SITE_ISOLATION !== 'off',
    optimizer: process.env.CASEMENT_OPTIMIZER !== 'off',
  }),
});

const running = new Map<boolean, Promise<Browser>>();

/**
 * A Chromium for which only this machine exists. The test files that one process runs share it: the first one starts
 * it, and the process takes it along when it ends. `subdomains: false` gives one that lacks the names below
 * `localhost`, as some systems and browsers do.
 */
export const openBrowser = async ({ subdomains = true } = {}): Promise<Browser> => {
  const known = await running.get(subdomains)?.catch(() => undefined);
  if (known?.isConnected()) return known;
  const started = chromium.launch(toLaunchOptions(subdomains));
  running.set(subdomains, started);
  return started;
};

/** Ends all that a test file opened in the browsers it shares with the files after it. */
export const closeContexts = async (): Promise<void> => {
  const browsers = await Promise.all(running.values());
  await Promise.all(browsers.flatMap((browser) => browser.contexts()).map((context) => context.close()));
};

/** Starts one that keeps its profile, history and all, in this folder. */
export const launchProfile = (folder: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, toLaunchOptions(true));
