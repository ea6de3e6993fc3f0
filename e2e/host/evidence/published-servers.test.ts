import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EvidenceMode } from '@casement/protocol';
import { startGateway, type RunningGateway } from '@casement/gateway';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { drawTwice } from '../../support/guest.js';
import { publishedServers } from '../../support/server-commands.js';
import { guestAt, scrollTo } from '../crowd/support.js';

const here = import.meta.dirname;
const commands = {
  react: publishedServers.basicReact,
  debug: publishedServers.debug,
  monitor: publishedServers.monitor,
};
let browser: Browser;
let gateway: RunningGateway;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'casement-evidence-'));
  const pageDir = join(folder, 'page');
  mkdirSync(pageDir);
  writeFileSync(
    join(pageDir, 'index.html'),
    '<!doctype html><title>evidence</title><body></body><script type="module" src="/page.js"></script>',
  );
  await build({
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    entryPoints: [join(here, '../crowd/page.ts')],
    outfile: join(pageDir, 'page.js'),
  });
  const servers = Object.entries(commands).map(([name, [command = '', ...args]]) => ({
    name,
    kind: 'stdio' as const,
    command,
    args,
    inheritEnv: false,
  }));
  [browser, gateway] = await Promise.all([
    openBrowser(),
    startGateway({ port: 0, pageDir, stateDir: join(folder, 'state'), servers }),
  ]);
  await gateway.settled();
});

afterAll(async () => {
  await closeContexts();
  await gateway?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What can be seen of an app from outside and from inside, without what is another with each run. */
const look = async (server: keyof typeof commands, tool: string, evidence: EvidenceMode) => {
  const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
  const { port } = new URL(gateway.url);
  await page.goto(`http://casement.localhost:${port}/`);
  await page.waitForFunction(() => 'showReal' in globalThis);
  const base = `http://casement.localhost:${Number(port) + 1}`;
  await page.evaluate(([given, place]) => globalThis.showReal(given, place), [
    [{ server, tool, args: {}, options: { evidence } }],
    { token: gateway.token, base },
  ] as const);
  await scrollTo(page, 0);
  const statusOf = () => page.evaluate(() => globalThis.realApps[0]?.app.getSnapshot().status);
  await eventually(statusOf, 60_000).toBe('ready');
  const guest = await guestAt(page, 0);
  await eventually(() => guest.evaluate(() => document.body.innerText.length)).toBeGreaterThan(10);
  // Long enough for what follows its result.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await drawTwice(guest);
  const inside = await guest.evaluate(() => ({
    globals: Object.getOwnPropertyNames(window).sort().join(' '),
    console: Object.values(console).map(String).join(),
    // Times and loads of the machine are figures.
    text: document.body.innerText.replace(/[\d.,:-]+/g, '0').replace(/\s+/g, ' '),
    elements: Array.from(document.body.querySelectorAll('*'), ({ localName }) => localName).join(' '),
  }));
  const outside = await page.evaluate(() => {
    const { app, calls = [] } = globalThis.realApps[0] ?? {};
    const { status, appInfo, appCapabilities, violations, scriptErrors, findings, dropped, dialects } =
      app?.getSnapshot() ?? {};
    return {
      ...{ status, appInfo, appCapabilities, dropped, dialects, calls: [...new Set(calls)] },
      violations: violations?.map(({ directive, blockedUri }) => `${directive} ${blockedUri}`).sort(),
      errors: scriptErrors?.map(({ message }) => message),
      findings: findings?.map(({ code }) => code).sort(),
    };
  });
  const seen = await page.evaluate(() => globalThis.realApps[0]?.app.getSnapshot().evidence.items ?? []);
  await page.close();
  return { behaviour: { inside, outside }, kinds: new Set(seen.map(({ kind }) => kind)) };
};

test.each([
  ['react', 'get-time'],
  ['debug', 'debug-tool'],
  ['monitor', 'get-system-info'],
] as const)(
  'the app of the published server %s is the same with and without wrapped functions',
  async (server, tool) => {
    const plain = await look(server, tool, 'errors');
    const watched = await look(server, tool, 'full');
    expect(watched.behaviour).toEqual(plain.behaviour);
    expect([...plain.kinds].filter((kind) => kind !== 'load-failed')).toEqual([]);
    expect([...watched.kinds]).toEqual(expect.arrayContaining(['layout', 'painted']));
  },
);
