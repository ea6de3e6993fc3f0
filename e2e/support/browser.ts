import { chromium, type Browser } from 'playwright-core';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const loopback = ['localhost', '127.0.0.1', '[::1]'];

const resolverRules = (names: readonly string[]): string =>
  ['MAP * ~NOTFOUND', ...names.map((name) => `EXCLUDE ${name}`)].join(', ');

/**
 * Starts a Chromium for which only this machine exists. `subdomains: false` also takes the names below `localhost`
 * away, as some systems and browsers do.
 */
export const launchBrowser = ({ subdomains = true } = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CASEMENT_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      ...flags,
      `--host-resolver-rules=${resolverRules(subdomains ? [...loopback, '*.localhost'] : loopback)}`,
    ],
  });
