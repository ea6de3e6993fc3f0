import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evidenceScript } from '@casement/sandbox/evidence';
import { startGateway, type RunningGateway } from '@casement/gateway';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { servers } from '../../inspector/servers.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { eventually, waitUntil } from '../../support/eventually.js';
import { drawTwice } from '../../support/guest.js';
import { writePdf } from '../../support/pdf-file.js';
import { pdfServer, publishedServers } from '../../support/server-commands.js';
import { guestAt, scrollTo } from '../crowd/support.js';

/** What is shown of each server, from the top of a page to its end, and how far it comes without a network. */
const shown = [
  ['react-2', 'get-time', 'ready'],
  ['react-1', 'get-time', 'ready'],
  ['vue', 'get-time', 'ready'],
  ['debug', 'debug-tool', 'ready'],
  ['monitor', 'get-system-info', 'ready'],
  ['map', 'show-map', 'handshake'],
  ['pdf', 'display_pdf', 'ready'],
  ['n8n', 'validate_node', 'ready'],
] as const;
const modes = ['none', 'full'] as const;
type Mode = (typeof modes)[number];

let browser: Browser;
let gateway: RunningGateway;
let folder: string;
const pages = new Map<Mode, Page>();
/** What the browser says went wrong in each page so far, whether or not the host collects it. */
const troubles: Record<Mode, Set<string>> = { none: new Set(), full: new Set() };

const startServers = (pageDir: string, file: string): Promise<RunningGateway> => {
  const commands: Record<(typeof shown)[number][0], readonly string[]> = {
    'react-2': publishedServers.basicReact,
    'react-1': publishedServers.basicReact1,
    vue: [servers.vue.command, ...servers.vue.args],
    debug: publishedServers.debug,
    monitor: publishedServers.monitor,
    map: publishedServers.map,
    pdf: pdfServer(file),
    n8n: [servers.n8n.command, ...servers.n8n.args],
  };
  const configs = Object.entries(commands).map(([name, [command = '', ...args]]) => ({
    ...{ name, kind: 'stdio' as const, command, args, inheritEnv: false },
    ...(name === 'n8n' && { env: servers.n8n.env }),
  }));
  return startGateway({ port: 0, pageDir, stateDir: join(folder, 'state'), servers: configs });
};

/** A page with the apps of all servers far below each other, so that each begins when it is scrolled to. */
const openPage = async (evidence: Mode, file: string): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
  page.on('pageerror', ({ message }) => troubles[evidence].add(message));
  page.on('console', (line) => line.type() === 'error' && troubles[evidence].add(line.text()));
  const { port } = new URL(gateway.url);
  await page.goto(`http://casement.localhost:${port}/`);
  await page.waitForFunction(() => 'showReal' in globalThis);
  const base = `http://casement.localhost:${Number(port) + 1}`;
  const args: Partial<Record<string, Record<string, unknown>>> = {
    pdf: { url: file },
    n8n: { nodeType: 'nodes-base.httpRequest', config: {} },
  };
  await page.evaluate(([given, place]) => globalThis.showReal(given, place), [
    shown.map(([server, tool]) => ({
      server,
      tool,
      args: args[server] ?? {},
      options: { evidence, evidenceScript },
    })),
    { token: gateway.token, base },
  ] as const);
  return page;
};

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
    entryPoints: [join(import.meta.dirname, '../crowd/page.ts')],
    outfile: join(pageDir, 'page.js'),
  });
  const file = writePdf(folder, 'report.pdf', ['One page']);
  [browser, gateway] = await Promise.all([openBrowser(), startServers(pageDir, file)]);
  await gateway.settled();
  for (const mode of modes) pages.set(mode, await openPage(mode, file));
});

afterAll(async () => {
  await closeContexts();
  await gateway?.close();
  rmSync(folder, { recursive: true, force: true });
});

const pageOf = (mode: Mode): Page => {
  const page = pages.get(mode);
  if (!page) throw new Error(`No page collects ${mode}.`);
  return page;
};

/** What can be seen of an app from outside and from inside, without what is another with each run. */
const look = async (mode: Mode, index: number) => {
  const page = pageOf(mode);
  const guest = await guestAt(page, index);
  await drawTwice(guest);
  const inside = await guest.evaluate(() => ({
    globals: Object.getOwnPropertyNames(window).sort().join(' '),
    console: Object.values(console).map(String).join(),
    // Times and loads of the machine are figures.
    text: document.body.innerText.replace(/[\d.,:-]+/g, '0').replace(/\s+/g, ' '),
    elements: Array.from(document.body.querySelectorAll('*'), ({ localName }) => localName).join(' '),
  }));
  const outside = await page.evaluate((at) => {
    const { app, calls = [] } = globalThis.realApps[at] ?? {};
    const { status, appInfo, appCapabilities, findings, dropped, dialects } = app?.getSnapshot() ?? {};
    return {
      ...{ status, appInfo, appCapabilities, dropped, dialects, calls: [...new Set(calls)] },
      // What only the app's page can tell is not told where nothing is collected: the browser tells it below.
      findings: findings?.flatMap(({ code }) => (code === 'script-error' ? [] : [code])).sort(),
    };
  }, index);
  return { inside, outside, troubles: [...troubles[mode]].sort() };
};

/** What an app looks like when it does not change any more. */
const settle = async (mode: Mode, index: number) => {
  let last: string | undefined;
  let same = 0;
  return waitUntil(
    () => look(mode, index),
    (now) => {
      const before = last;
      last = JSON.stringify(now);
      const isThere = now.outside.status !== 'ready' || now.inside.text.length > 10;
      same = last === before && isThere ? same + 1 : 0;
      return same === 5;
    },
    { what: 'An app that stays as it is' },
  );
};

const start = async (mode: Mode, index: number, status: string): Promise<void> => {
  await scrollTo(pageOf(mode), index);
  const statusOf = () =>
    pageOf(mode).evaluate((at) => globalThis.realApps[at]?.app.getSnapshot().status, index);
  await eventually(statusOf, 60_000).toBe(status);
};

const kindsIn = (mode: Mode, index: number): Promise<string[]> =>
  pageOf(mode).evaluate((at) => {
    const { evidence } = globalThis.realApps[at]?.app.getSnapshot() ?? {};
    return evidence?.items.map(({ kind }) => kind) ?? [];
  }, index);

test.each(shown.map(([server, , status], index) => [server, status, index] as const))(
  'the app of the published server %s is the same with and without wrapped functions',
  async (_, status, index) => {
    for (const mode of modes) await start(mode, index, status);
    await vi.waitFor(async () => expect(await settle('full', index)).toEqual(await settle('none', index)), {
      timeout: 20_000,
    });
    expect(await kindsIn('none', index)).toEqual([]);
    const seen = status === 'ready' ? ['layout', 'painted'] : ['load-failed'];
    await eventually(() => kindsIn('full', index)).toEqual(expect.arrayContaining(seen));
  },
);
