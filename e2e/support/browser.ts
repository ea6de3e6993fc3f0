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

/**
 * Starts a Chromium for which only this machine exists. `subdomains: false` also takes the names below `localhost`
 * away, as some systems and browsers do.
 */
export const launchBrowser = ({ subdomains = true } = {}): Promise<Browser> =>
  chromium.launch(toLaunchOptions(subdomains));

/** Starts one that keeps its profile, history and all, in this folder. */
export const launchProfile = (folder: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, toLaunchOptions(true));
