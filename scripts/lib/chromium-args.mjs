// How a Chromium is started for which only this machine exists, as tests and benches want it.
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

/** What gives each site a process of its own. */
const siteIsolation = ['IsolateOrigins', 'site-per-process', 'IsolateSandboxedIframes'];

const loopback = ['localhost', '127.0.0.1', '[::1]'];

const resolverRules = (names) => ['MAP * ~NOTFOUND', ...names.map((name) => `EXCLUDE ${name}`)].join(', ');

/**
 * The arguments. Without `subdomains` it lacks the names below `localhost`, as some systems and browsers do; without
 * `isolation` a page and all its frames share one process, as on small phones, and so do the pages of one browser
 * context that follow each other: what they run is compiled once; without `optimizer` no code of a page is compiled a
 * second time, however often it runs.
 */
export const toChromiumArgs = ({ subdomains = true, isolation = true, optimizer = true } = {}) => [
  ...flags,
  ...(optimizer ? [] : ['--js-flags=--no-opt --no-maglev']),
  ...(isolation ? [] : ['--disable-site-isolation-trials', '--renderer-process-limit=1']),
  `--disable-features=${[...switchedOffByPlaywright, ...unseenParts, ...(isolation ? [] : siteIsolation)].join(',')}`,
  `--host-resolver-rules=${resolverRules(subdomains ? [...loopback, '*.localhost'] : loopback)}`,
];
