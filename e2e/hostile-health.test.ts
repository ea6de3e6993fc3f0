import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './support/browser.js';
import { startCasement, type RunningCasement } from './support/casement.js';
import { createTempFolder, writeConfig } from './support/config-file.js';
import { eventually } from './support/eventually.js';
import { toMessages } from './support/recorded.js';
import { fixtureServer } from './support/server-commands.js';
import { openStage, type Stage } from './support/stage.js';

const folder = createTempFolder();
let browser: Browser;
let casement: RunningCasement;
let stage: Stage;

beforeAll(async () => {
  const config = writeConfig(folder.path, { fixture: fixtureServer() });
  [browser, casement] = await Promise.all([launchBrowser(), startCasement(['--config', config])]);
});

afterEach(() => stage?.close());

afterAll(async () => {
  await browser?.close();
  await casement?.stop();
  folder.remove();
});

const show = async (guest: string): Promise<void> => {
  stage = await openStage(browser, casement.url, { server: 'fixture', tool: guest, args: {}, run: true });
  await stage.reaches('ready');
};
const click = async (name: string) => (await stage.app()).getByRole('button', { name, exact: true }).click();
const panel = async () => (await stage.page.getByRole('alert').allInnerTexts()).join(' ');
const badge = () => stage.page.getByRole('group', { name: 'App', exact: true }).locator('.badge').innerText();
const timeline = () => stage.page.getByRole('listbox', { name: 'Entries' });
const entriesOf = async (kind: string) => (await stage.recording()).filter((entry) => entry.kind === kind);

/** What the timeline shows for a search, as a person reads it. */
const searched = (words: string) => async () => {
  await stage.page.getByRole('tabpanel').getByRole('searchbox').fill(words);
  return timeline().innerText();
};

/** The page is whole: another app of the same server comes up in the same tab. */
const hostIsIntact = async (): Promise<void> => {
  await stage.tool.selectOption('well-behaved');
  await stage.run();
  await eventually(async () => (await stage.snapshot())?.appInfo?.name).toBe('Well-behaved guest');
  await stage.reaches('ready');
  const app = await stage.app();
  await eventually(() => app.locator('#result').textContent()).toContain('text result of well-behaved');
};

test('an app in an endless loop is said not to respond, and Stop ends it', async () => {
  await show('busy');
  await click('Block for a minute');
  await eventually(() => stage.failure(), 30_000).toBe('app-not-responding');
  expect(await stage.status()).toBe('ready');
  await eventually(panel).toMatch(/The app does not respond/);
  expect(await badge()).toBe('not responding');
  await stage.page.getByRole('button', { name: 'Stop the app' }).click();
  await eventually(() => stage.status()).toBe('failed');
  expect(await stage.failure()).toBe('app-stopped');
  await eventually(badge).toBe('stopped');
  expect(await stage.page.locator('#stage iframe').count()).toBe(0);
  await eventually(searched('app-not-responding')).toContain('app-not-responding');
  await eventually(searched('app-stopped')).toContain('app-stopped');
  await stage.page.getByRole('button', { name: 'Try again' }).click();
  await eventually(() => stage.status(), 30_000).toBe('ready');
  await hostIsIntact();
}, 90_000);

test('an app that comes back to itself is well again', async () => {
  await show('busy');
  await click('Block');
  await eventually(() => stage.failure(), 30_000).toBe('app-not-responding');
  await eventually(() => stage.failure(), 30_000).toBe('');
  expect(await stage.status()).toBe('ready');
  await eventually(panel).toBe('');
  expect(await badge()).toBe('ready');
}, 90_000);

test('an app whose process dies is said to have crashed, and can be loaded again', async () => {
  await show('well-behaved');
  // Playwright gives up the whole page with a frame of it, so the rest goes through a session of its own.
  const host = await stage.context.newCDPSession(stage.page);
  const guest = await stage.context.newCDPSession(await stage.app());
  const read = async (expression: string): Promise<unknown> =>
    (await host.send('Runtime.evaluate', { expression, returnByValue: true })).result.value;
  const text = (selector: string) =>
    read(`[...document.querySelectorAll('${selector}')].map((one) => one.innerText).join(' ')`);
  const data = (name: string) => read(`document.getElementById('stage').dataset.${name}`);
  // The answer never comes: what would give it is gone.
  void guest.send('Page.crash').catch(() => undefined);
  await eventually(() => data('appFailure'), 40_000).toBe('app-crashed');
  expect(await data('appStatus')).toBe('failed');
  await eventually(() => text('[role=alert]')).toMatch(/The app crashed[\s\S]*Reload it/);
  expect(await text('.toolbar .badge')).toBe('crashed');
  await eventually(() => text('[role=option]')).toContain('app-crashed');
  await read(`[...document.querySelectorAll('[role=alert] button')].at(-1).click()`);
  await eventually(() => data('appStatus'), 30_000).toBe('ready');
  expect(await read('window.casement.snapshot().epoch')).toBe(2);
}, 90_000);

test('an app that answers nothing harms nobody, and each silence is named', async () => {
  await show('mute');
  await stage.report();
  expect(await stage.count('app', 'out', 'tools/list')).toBe(1);
  expect((await stage.snapshot())?.appTools).toEqual([]);
  await stage.closeApp();
  await stage.reaches('closed');
  await eventually(searched('asked to end')).toMatch(/The app was asked to end: unanswered/);
  await hostIsIntact();
});

test('20 MB in one message are dropped and named, and the app is heard after it', async () => {
  await show('twenty-megabytes');
  await click('Log 20 MB');
  await click('Call with 20 MB');
  const dropped = async () =>
    (await entriesOf('dropped'))
      // The proxy's count, as the message table describes it.
      .map(({ raw }) => raw as { count: number; reason: string })
      .filter(({ reason }) => reason === 'too-large')
      .reduce((sum, { count }) => sum + count, 0);
  await eventually(dropped).toBe(2);
  expect(await stage.count('server', 'out', 'tools/call')).toBe(1);
  await eventually(searched('too-large')).toMatch(/not passed on: larger than the limit/);
  await click('Ping');
  expect(await stage.report()).toMatchObject({ result: {} });
  await hostIsIntact();
});

test('an app that begins its handshake again and again is refused by name after a while', async () => {
  await show('initialize-loop');
  await click('Begin 500 times');
  const { refused } = await stage.report<{ refused: number }>();
  expect(refused).toBeGreaterThan(400);
  expect(await stage.status()).toBe('ready');
  const decisions = JSON.stringify(await entriesOf('decision'));
  expect(decisions).toContain('rate-limited');
  await eventually(searched('rate-limited')).toMatch(/The app asked too often: ui\/initialize/);
  // Each beginning that counted delivered its input once.
  const { epoch = 0 } = (await stage.snapshot()) ?? {};
  const inputs = toMessages(await stage.recording()).filter(
    ({ leg, dir, method }) => leg === 'app' && dir === 'out' && method === 'ui/notifications/tool-input',
  );
  expect(epoch).toBeLessThan(100);
  expect(inputs.length).toBeLessThanOrEqual(epoch);
  await hostIsIntact();
}, 90_000);

test('sizes that cannot be are named in the recording, and the page keeps its shape', async () => {
  await show('size-bombs');
  await click('Send absurd sizes');
  await eventually(searched('finite number')).toMatch(/invalid-params\s+height: Expected a finite number/);
  const width = await stage.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(width).toBeLessThanOrEqual(0);
  await hostIsIntact();
});

test('what an app calls after its teardown is refused by name and not done', async () => {
  await show('calls-after-teardown');
  await stage.report();
  await stage.closeApp();
  await stage.reaches('closed');
  const recording = await stage.recording();
  const done = toMessages(recording).filter(({ leg, dir, params }) => {
    return leg === 'server' && dir === 'out' && params?.name === 'app-only';
  });
  expect(done).toEqual([]);
  // On a busy machine its calls may come when nobody listens any more; those that were heard were refused by name.
  const heard = toMessages(recording).filter(({ leg, dir, method }) => {
    return leg === 'app' && dir === 'in' && method === 'tools/call';
  });
  const refused = recording.filter(({ raw }) => JSON.stringify(raw).includes('session-closed'));
  expect(refused.length).toBeGreaterThanOrEqual(heard.length > 0 ? 1 : 0);
  expect(await stage.page.getByRole('dialog').count()).toBe(0);
  expect(stage.context.pages()).toHaveLength(1);
  const asked = toMessages(recording).filter(({ method }) => method === 'ui/resource-teardown');
  expect(asked).toHaveLength(1);
  await hostIsIntact();
});
