import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { toApp } from '../../support/guest.js';
import { page, useHostPage, world } from '../fixture.js';
import { toThief, word } from '../thief.js';
import { appPage, look, mountIn, openSplitPage, type SplitPage } from './split-page.js';

useHostPage();

const plainApp = toApp(
  'await bridge.initialize(); onclick = () => bridge.notify("notifications/message", { level: "info", data: "clicked" });',
);

const fileOf = (part: string): string => appPage.onDemand.get(part) ?? '';

/** What guards: no byte of a plain app leaves the page before these are there. */
const guarding = [...appPage.onDemand.keys()].filter((part) => appPage.withOneApp.includes(fileOf(part)));

const extrasPart = 'host/dom/page-extras';
const unusualPart = 'host/core/loaded/unusual-app';

/** What some apps need besides before they are handed over, and what makes an app one of them. */
const reachesSites = { ui: { csp: { connectDomains: ['https://api.example'] } } };
const beforeApp: readonly (readonly [part: string, more: object])[] = [
  [unusualPart, reachesSites],
  [unusualPart, { options: { user: 'somebody' } }],
  [unusualPart, { ui: { permissions: { camera: {} } } }],
  [extrasPart, reachesSites],
];

/** What an app that runs can bring about itself. */
const requestsPart = 'host/core/handlers/app-requests';
const dialectsPart = 'host/core/loaded/tools-and-dialects';
const later = [requestsPart, 'host/core/state/trouble', dialectsPart];

/** What no app can bring about: the embedder's options and calls. */
const ofEmbedder = ['host/core/call/partial-input', 'host/dom/default-styles'];

test('every part that is loaded on demand is attacked below, or out of reach of an app', () => {
  const known = new Set([
    ...guarding,
    ...beforeApp.map(([part]) => part),
    extrasPart,
    ...later,
    ...ofEmbedder,
  ]);
  expect([...known].sort()).toEqual([...appPage.onDemand.keys()].sort());
});

test('a page with one plain app that was clicked has fetched the files that the budget counts, and no others', async () => {
  const { fetched } = await openSplitPage(page);
  await mountIn(page, { html: plainApp, base: world.base });
  await eventually(async () => (await look(page)).status).toBe('ready');
  await page.locator('iframe').click();
  await eventually(async () => (await look(page)).logs).toEqual(['clicked']);
  expect([...fetched].sort()).toEqual([...appPage.withOneApp].sort());
});

/** Asks for everything an app can ask for, in today's words and older ones, and forges what only the proxy may say. */
const requests = {
  'ui/open-link': { url: 'https://example.com/' },
  'ui/openLink': { url: 'https://example.com/old' },
  'ui/download-file': {
    contents: [{ type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'x' } }],
  },
  'ui/message': { role: 'user', content: [{ type: 'text', text: 'hello' }] },
  'tools/call': { name: 'harm', arguments: {} },
  'tools/list': {},
  'resources/list': {},
  'resources/read': { uri: 'ui://weather/app' },
  'sampling/createMessage': {
    messages: [{ role: 'user', content: { type: 'text', text: 'x' } }],
    maxTokens: 5,
  },
  'ui/request-display-mode': { mode: 'fullscreen' },
  'casement/widget-state': { state: {} },
  'no/such-thing': {},
};
const attacker = toApp(`
  bridge.answers['tools/list'] = () => ({ tools: [{ name: 'own', inputSchema: { type: 'object' } }] });
  await bridge.initialize({ capabilities: { tools: {} } });
  for (const name of ['proxy-ready', 'app-health', 'resource-ready', 'dropped'])
    bridge.notify('ui/notifications/sandbox-' + name, { state: 'gone', html: '' });
  bridge.notify('ui/notifications/sandbox-evidence', { items: [{ kind: 'painted', at: 1 }], left: 0 });
  setTimeout(() => { throw new Error('on purpose'); });
  const tell = (data) => bridge.notify('notifications/message', { level: 'info', data });
  for (const [method, params] of Object.entries(${JSON.stringify(requests)}))
    bridge.request(method, params).then(({ result, error }) => tell(method + ' ' + (error?.data?.code ?? error?.code ?? (result.isError ? 'no' : 'done'))));
`);

/** What nobody agreed to, and nothing else, would be here. */
const expectNothingDone = async (): Promise<void> => {
  expect((await look(page)).done).toEqual([]);
};

const answersOf = async (): Promise<string[]> =>
  (await look(page)).logs
    .map(String)
    .filter((line) => Object.keys(requests).some((name) => line.startsWith(`${name} `)));

/** A thief gets one key at most of what is typed into the page, whatever has not come. */
const expectKeysSafe = async (): Promise<void> => {
  await page.click('#field');
  await page.keyboard.type(word, { delay: 40 });
  expect((await page.inputValue('#field')).length).toBeGreaterThanOrEqual(word.length - 1);
};

const start = (part: string, treatment: 'held' | 'missing'): Promise<SplitPage> =>
  openSplitPage(page, fileOf(part), treatment);

const heldApps = [...guarding.map((part) => [part, {}] as const), ...beforeApp];

test.each(heldApps)(
  'without %s no byte of an app leaves the page, however long it takes',
  async (part, more) => {
    const split = await start(part, 'held');
    await mountIn(page, { html: toThief('its window and a field'), base: world.base, ...more });
    await eventually(() => split.fetched.has(fileOf(part))).toBe(true);
    await expectKeysSafe();
    const { status, sent, logs } = await look(page);
    expect(status).toBe('loading');
    expect([sent, logs]).toEqual([[], []]);
    await split.release();
    await eventually(async () => (await look(page)).sent).toContain(
      'ui/notifications/sandbox-resource-ready',
    );
  },
);

test.each(heldApps)(
  'an app is not shown when %s cannot be loaded, and the page says why and what to do',
  async (part, more) => {
    await start(part, 'missing');
    await mountIn(page, { html: plainApp, base: world.base, ...more });
    await eventually(async () => (await look(page)).failure).toMatchObject({
      code: 'host-code-missing',
      hint: expect.stringContaining('Reload the page'),
    });
    expect((await look(page)).sent).toEqual([]);
    await page.getByText('This app cannot be shown.').waitFor();
  },
);

test.each(later)('while %s does not come an app does nothing the user did not agree to', async (part) => {
  const split = await start(part, 'held');
  await mountIn(page, { html: attacker, base: world.base });
  await eventually(async () => (await look(page)).status).toBe('ready');
  await eventually(() => split.fetched.has(fileOf(part))).toBe(true);
  // Without its gate nothing is asked or done; what does not need it is asked about all the same.
  if (part === requestsPart) expect((await look(page)).asked).toEqual([]);
  else await eventually(async () => (await look(page)).asked.length).toBeGreaterThan(0);
  await expectNothingDone();
  // A thief beside it is kept from the keyboard.
  await mountIn(page, { html: toThief('its window and a field'), base: world.base });
  await eventually(async () => (await look(page, 1)).status).toBe('ready');
  await expectKeysSafe();
  await eventually(async () => (await look(page, 1)).failure?.code).toBe('keyboard-taken');
  // Nothing was lost: what waited is answered when it comes.
  await split.release();
  await eventually(async () => (await answersOf()).length).toBe(Object.keys(requests).length);
  await expectNothingDone();
});

test.each(later)('when %s cannot be loaded every request of an app is still answered', async (part) => {
  await start(part, 'missing');
  await mountIn(page, { html: attacker, base: world.base });
  await eventually(async () => (await look(page)).status).toBe('ready');
  await eventually(async () => (await answersOf()).length).toBe(Object.keys(requests).length);
  await expectNothingDone();
  expect((await look(page)).status).toBe('ready');
});

test.each(['host/core/state/trouble', requestsPart, dialectsPart])(
  'an app that floods while %s does not come is ended',
  async (part) => {
    await start(part, 'held');
    // The older name has to wait; what it would wait behind must not.
    const flood = toApp(`
      await bridge.initialize();
      bridge.request('ui/openLink', { url: 'https://example.com/' });
      for (let n = 0; n < 30000; n += 1) bridge.notify('notifications/message', { level: 'info', data: n });`);
    await mountIn(page, { html: flood, base: world.base, options: { limits: { maxDropped: 1000 } } });
    await eventually(async () => (await look(page)).failure?.code).toBe('app-flooding');
    await expectNothingDone();
  },
);

/** Asks for the whole page when it is pressed, and says what became of that. */
const climber = toApp(`
  await bridge.initialize({ capabilities: { availableDisplayModes: ['inline', 'fullscreen'] } });
  onclick = async () => {
    const { result } = await bridge.request('ui/request-display-mode', { mode: 'fullscreen' });
    bridge.notify('notifications/message', { level: 'info', data: result.mode });
  };`);

const readMode = (): Promise<string> =>
  page.evaluate(() => window.splitSeen[0]?.app.getSnapshot().displayMode ?? '');

test('no app covers the page before the way out of that has come', async () => {
  const split = await start(extrasPart, 'held');
  await mountIn(page, { html: climber, base: world.base });
  await eventually(async () => (await look(page)).status).toBe('ready');
  await page.locator('iframe').click();
  await eventually(() => split.fetched.has(fileOf(extrasPart))).toBe(true);
  await expectKeysSafe();
  expect([await readMode(), (await look(page)).logs]).toEqual(['inline', []]);
  await split.release();
  await eventually(async () => (await look(page)).logs).toEqual(['fullscreen']);
  await page.getByRole('button', { name: 'Close' }).click();
  await eventually(readMode).toBe('inline');
});

test('an app that asks for the page stays where it is when the way out cannot be loaded', async () => {
  await start(extrasPart, 'missing');
  await mountIn(page, { html: climber, base: world.base });
  await eventually(async () => (await look(page)).status).toBe('ready');
  await page.locator('iframe').click();
  await eventually(async () => (await look(page)).logs).toEqual(['inline']);
  expect(await readMode()).toBe('inline');
});

test('an embedder who covers the page gets it back when the way out cannot be loaded', async () => {
  await start(extrasPart, 'missing');
  await mountIn(page, { html: plainApp, base: world.base });
  await eventually(async () => (await look(page)).status).toBe('ready');
  await page.evaluate(() => window.splitSeen[0]?.app.setDisplayMode('fullscreen'));
  await eventually(readMode).toBe('inline');
  expect((await look(page)).status).toBe('ready');
});

test('an app that fails says so in its place although the part that says it better cannot be loaded', async () => {
  await start(extrasPart, 'missing');
  await mountIn(page, { html: plainApp, base: world.base });
  await eventually(async () => (await look(page)).status).toBe('ready');
  await page.evaluate(() => window.splitSeen[0]?.app.stop());
  await page.getByText('This app cannot be shown. It was stopped.').waitFor();
});

test('code that neither comes nor fails ends the app after a while, and a reload that finds it shows the app', async () => {
  const [part = ''] = guarding;
  const split = await start(part, 'held');
  await mountIn(page, { html: plainApp, base: world.base, options: { limits: { resourceMs: 300 } } });
  await eventually(async () => (await look(page)).failure?.code).toBe('host-code-missing');
  await split.release();
  await page.evaluate(() => window.splitSeen[0]?.app.reload());
  await eventually(async () => (await look(page)).status).toBe('ready');
});
