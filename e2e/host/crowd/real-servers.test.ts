import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, type RunningGateway } from '@casement/gateway';
import { build } from 'esbuild';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { writePdf } from '../../support/pdf-file.js';
import { pdfServer, publishedServers } from '../../support/server-commands.js';
import { countFrames, guestAt, maxFrames, scrollTo } from './support.js';

const here = import.meta.dirname;
const pages = ['Casement opens on page one', 'And this is the second page'] as const;
const families = join(here, '../../../examples/families-server/src/server.mjs');
let browser: Browser;
let gateway: RunningGateway;
let page: Page;
let folder: string;
let pdf: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'casement-crowd-'));
  pdf = writePdf(folder, 'report.pdf', pages);
  const pageDir = join(folder, 'page');
  mkdirSync(pageDir);
  writeFileSync(
    join(pageDir, 'index.html'),
    '<!doctype html><title>crowd</title><body></body><script type="module" src="/page.js"></script>',
  );
  await build({
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    entryPoints: [join(here, 'page.ts')],
    outfile: join(pageDir, 'page.js'),
  });
  const commands = {
    react: publishedServers.basicReact,
    pdf: pdfServer(pdf),
    families: [process.execPath, families],
  };
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

beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 900, height: 700 } });
  await page.goto(`http://casement.localhost:${new URL(gateway.url).port}/`);
  await page.waitForFunction(() => 'showReal' in globalThis);
  await countFrames(page);
});

type Shown = Parameters<typeof globalThis.showReal>[0];

const show = (shown: Shown): Promise<void> => {
  const base = `http://casement.localhost:${Number(new URL(gateway.url).port) + 1}`;
  return page.evaluate(([given, place]) => globalThis.showReal(given, place), [
    shown,
    { token: gateway.token, base },
  ] as const);
};
const statusOf = (index: number) =>
  page.evaluate((at) => globalThis.realApps[at]?.app.getSnapshot().status, index);
const visit = async (index: number): Promise<Frame> => {
  await scrollTo(page, index);
  await eventually(() => statusOf(index), 60_000).toBe('ready');
  return guestAt(page, index);
};
/** Another app takes the place of this one. */
const leaveFor = async (index: number, other: number): Promise<void> => {
  await page.evaluate((at) => document.querySelector<HTMLElement>(`#app-${at} iframe`)?.blur(), index);
  await visit(other);
  await eventually(() => statusOf(index)).toBe('evicted');
};
const callsOf = (index: number) => page.evaluate((at) => globalThis.realApps[at]?.calls, index);
const options = { limits: { maxLiveApps: 1 } };
const time = { server: 'react', tool: 'get-time', args: {}, options };

test('text and scroll of basic-react come back with its result, and its tool is not called again', async () => {
  // Low, so that its document scrolls.
  const low = { limits: { maxLiveApps: 1, maxHeight: 150 } };
  await show([{ ...time, options: low }, time]);
  const app = await visit(0);
  const shownTime = (frame: Frame) => frame.locator('code').first().textContent();
  await eventually(() => shownTime(app)).toMatch(/^\d{4}-/);
  const before = await shownTime(app);
  await app.locator('textarea').fill('What the user wrote');
  const top = await app.evaluate(() => {
    document.documentElement.scrollTo(0, 90);
    return document.documentElement.scrollTop;
  });
  expect(top).toBe(90);
  await leaveFor(0, 1);
  const again = await visit(0);
  await eventually(() => shownTime(again)).toBe(before);
  await eventually(() => again.locator('textarea').inputValue()).toBe('What the user wrote');
  await eventually(() => again.evaluate(() => document.documentElement.scrollTop)).toBe(90);
  expect(await callsOf(0)).toEqual(['user get-time']);
  // React itself knows the text: what it draws next still has it.
  await again.getByRole('button', { name: 'Get Server Time' }).click();
  await eventually(() => shownTime(again)).not.toBe(before);
  expect(await again.locator('textarea').inputValue()).toBe('What the user wrote');
  expect(await callsOf(0)).toEqual(['user get-time', 'app get-time']);
  expect(await maxFrames(page)).toBe(1);
});

test('the storage of pdf comes back: the page that was read', async () => {
  await show([{ server: 'pdf', tool: 'display_pdf', args: { url: pdf }, options }, time]);
  const app = await visit(0);
  const pageText = (frame: Frame) => frame.locator('#text-layer').innerText();
  await eventually(() => pageText(app), 40_000).toBe(pages[0]);
  await app.locator('#next-btn').click();
  await eventually(() => pageText(app)).toBe(pages[1]);
  await leaveFor(0, 1);
  expect(await page.evaluate(() => globalThis.realApps[0]?.app.getSnapshot().eviction)).toMatchObject({
    loses: false,
  });
  const again = await visit(0);
  await eventually(() => pageText(again), 40_000).toBe(pages[1]);
  expect((await callsOf(0))?.filter((call) => call.includes('display_pdf'))).toEqual(['user display_pdf']);
  // It waits for news of its server in calls of 30 s; one that seems to be the user's keeps it so long.
}, 150_000);

test('the state of an OpenAI widget comes back with its data', async () => {
  await show([{ server: 'families', tool: 'show_pizzas', args: {}, options }, time]);
  const inWidget = (frame: Frame, script: string) => frame.evaluate(`(async () => { ${script} })()`);
  const widget = await visit(0);
  await widget.waitForFunction(() => 'openai' in window && document.body !== null);
  await inWidget(widget, 'await openai.setWidgetState({ tab: 3 })');
  await leaveFor(0, 1);
  expect(await page.evaluate(() => globalThis.realApps[0]?.app.getSnapshot().eviction)).toMatchObject({
    loses: false,
  });
  const again = await visit(0);
  await again.waitForFunction(() => 'openai' in window && document.body !== null);
  expect(await inWidget(again, 'return [openai.widgetState, openai.toolOutput]')).toEqual([
    { tab: 3 },
    { toppings: expect.arrayContaining(['tomato', 'basil']) },
  ]);
  expect(await callsOf(0)).toEqual(['user show_pizzas']);
});
