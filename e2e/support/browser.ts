import { chromium, type Browser, type BrowserContext } from 'playwright-core';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * What the browser draws around a page nobody looks at: each window would load two pages for the drop-down of its
 * address bar, which cost more time than an app and its sandbox together.
 */
const unseenParts = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'PreloadTopChromeWebUI'];

/** Chromium obeys the last list it is given, so what Playwright 1.65 switches off has to stand in ours again. */
const switchedOffByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

const loopback = ['localhost', '127.0.0.1', '[::1]'];

const resolverRules = (names: readonly string[]): string =>
  ['MAP * ~NOTFOUND', ...names.map((name) => `EXCLUDE ${name}`)].join(', ');

const toLaunchOptions = (subdomains: boolean) => ({
  executablePath: process.env.CASEMENT_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    ...flags,
    `--disable-features=${[...switchedOffByPlaywright, ...unseenParts].join(',')}`,
    `--host-resolver-rules=${resolverRules(subdomains ? [...loopback, '*.localhost'] : loopback)}`,
  ],
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
