import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { page, renewPage, useHostPage, world } from './fixture.js';
import { readFaults } from '../support/axe.js';
import { guestOf, reaches, show } from './support.js';
import { quietApp, toApp } from '../support/guest.js';

useHostPage();

const button = (name: string) => page.getByRole('button', { name, exact: true });
const domains = ['https://api.example.com', 'https://cdn.example.org'];
const ui = { csp: { connectDomains: domains } };

verifies(
  ['HOST-038'],
  'a line around the app and the name of its server stand in the host’s own page, where the app cannot paint',
  async () => {
    // An app that tries to be larger than its frame and over everything.
    const html = toApp(
      'await bridge.initialize();',
      'body{position:fixed;inset:-200px;z-index:2147483647;background:#f0f}',
    );
    await show(page, { html, base: world.base });
    const label = page.getByText('App from weather');
    const [words, frame] = await Promise.all([label.boundingBox(), page.locator('iframe').boundingBox()]);
    expect((words?.y ?? 0) + (words?.height ?? 0)).toBeLessThanOrEqual(frame?.y ?? 0);
    // Whatever is on top at the words' place is the host's own.
    const onTop = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.tagName, [
      (words?.x ?? 0) + 5,
      (words?.y ?? 0) + 5,
    ] as const);
    expect(onTop).not.toBe('IFRAME');
    const line = () =>
      page.locator('[data-display-mode]').evaluate((box) => {
        const { outlineStyle, outlineWidth, borderTopWidth } = getComputedStyle(box);
        return { outlineStyle, outlineWidth, borderTopWidth };
      });
    expect(await line()).toEqual({ outlineStyle: 'solid', outlineWidth: '1px', borderTopWidth: '0px' });
  },
);

verifies(
  ['HOST-014', 'HOST-038'],
  'a wanted border is drawn with a ground, an unwanted one is not and the name still stands',
  async () => {
    await show(page, { html: quietApp, base: world.base, ui: { prefersBorder: true } });
    await show(page, { html: quietApp, base: world.base, ui: { prefersBorder: false } });
    const looks = await page.locator('[data-display-mode]').evaluateAll((boxes) =>
      boxes.map((box) => {
        const { borderTopWidth, outlineStyle, backgroundColor } = getComputedStyle(box);
        return { borderTopWidth, outlineStyle, backgroundColor };
      }),
    );
    expect(looks[0]).toEqual({
      borderTopWidth: '1px',
      outlineStyle: 'none',
      backgroundColor: 'rgb(255, 255, 255)',
    });
    expect(looks[1]).toEqual({
      borderTopWidth: '0px',
      outlineStyle: 'none',
      backgroundColor: 'rgba(0, 0, 0, 0)',
    });
    expect(await page.getByText('App from weather').count()).toBe(2);
  },
);

verifies(
  ['HOST-009'],
  'the places outside that an app may reach are named to the user, who can put the notice away',
  async () => {
    await show(page, { html: quietApp, base: world.base, ui });
    await page.getByText('Can exchange data with api.example.com, cdn.example.org').waitFor();
    // It is beside the app, not before it.
    expect(await (await guestOf(page)).isVisible('#shown')).toBe(true);
    await button('Dismiss').press('Enter');
    expect(await page.getByText('Can exchange data').count()).toBe(0);
    // Read once, it is not told again for the same server and places; other places are.
    await show(page, { html: quietApp, base: world.base, ui });
    expect(await page.getByText('Can exchange data').count()).toBe(0);
    const more = Array.from({ length: 5 }, (_, index) => `https://s${index}.example.net`);
    await show(page, { html: quietApp, base: world.base, ui: { csp: { resourceDomains: more } } });
    await page.getByText('s0.example.net, s1.example.net, s2.example.net and 2 more').click();
    expect(await page.getByRole('listitem').allTextContents()).toEqual(more.map((site) => site.slice(8)));
  },
);

test('an app without declared domains has no notice; without chrome nothing at all is drawn', async () => {
  await show(page, { html: quietApp, base: world.base });
  expect(await page.getByText('Can exchange data').count()).toBe(0);
  await show(page, { html: quietApp, base: world.base, ui, options: { chrome: 'none' } });
  const [words, heads] = await Promise.all([
    page.getByText('App from weather').count(),
    page.locator('[data-mode]').evaluateAll((found) => found.map((head) => head.clientHeight)),
  ]);
  expect(words).toBe(1);
  expect(heads[1]).toBe(0);
});

test('full chrome names the app and offers the modes both sides know', async () => {
  const options = { chrome: 'full', displayModes: ['inline', 'fullscreen'] };
  await show(page, { html: quietApp, base: world.base, tool: 'get_forecast', options });
  await page.getByText('get_forecast', { exact: true }).waitFor();
  expect(await button('Picture in picture').count()).toBe(0);
  await button('Fullscreen').click();
  expect(await page.evaluate(() => window.hostApps[0]?.app.getSnapshot().displayMode)).toBe('fullscreen');
  await button('Close').click();
  await button('Reload').click();
  await eventually(() => page.evaluate(() => window.hostApps[0]?.app.getSnapshot().epoch)).toBeGreaterThan(1);
  await reaches(page, 'ready');
});

test('foreign names are text: markup, line breaks and turning characters show themselves', async () => {
  const tool = '<b>bank</b>\u202Emoc.live\nYour bank' + 'x'.repeat(400);
  await show(page, { html: quietApp, base: world.base, tool, options: { chrome: 'full' } });
  const bar = page.locator('[data-mode]');
  await bar.getByText('<b>bank</b>\\u{202e}moc.live Your bank').waitFor();
  expect((await bar.boundingBox())?.height).toBe(34);
});

test('a failure is shown in the app’s place in neutral words with Reload, unless the embedder shows it', async () => {
  await page.evaluate((base) => {
    window.showApp({ html: '', base });
    window.showApp({ html: '', base, options: { showFailures: false } });
  }, world.base);
  await reaches(page, 'failed');
  await reaches(page, 'failed', 1);
  await eventually(() => page.getByText('This app cannot be shown.').count()).toBe(1);
  const message = await page.evaluate(() => window.hostApps[0]?.app.getSnapshot().failure?.message);
  await page.getByText('Try again later.').waitFor();
  // The reason is for those who run the page; they find it on the console.
  expect(await page.getByText(message ?? '').count()).toBe(0);
  await button('Reload').click();
  await eventually(() => page.evaluate(() => window.hostApps[0]?.app.getSnapshot().status)).toBe('failed');
});

const looks = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 390 },
] as const;

test.each(looks)('nothing serious is found in $colorScheme at $width px', async ({ colorScheme, width }) => {
  await renewPage({ colorScheme, viewport: { width, height: 900 } });
  const displayModes = ['inline', 'fullscreen', 'pip'];
  await show(page, { html: quietApp, base: world.base, ui, options: { chrome: 'full', displayModes } });
  await show(page, { html: quietApp, base: world.base, ui: { prefersBorder: false } });
  await page.evaluate((base) => window.showApp({ html: '', base }), world.base);
  await reaches(page, 'failed', 2);
  await page.getByText('This app cannot be shown.').waitFor();
  expect(await readFaults(page)).toEqual([]);
  await page.evaluate(() => window.hostApps[0]?.app.setDisplayMode('pip'));
  expect(await readFaults(page)).toEqual([]);
  await page.evaluate(() => window.hostApps[0]?.app.setDisplayMode('fullscreen'));
  expect(await readFaults(page)).toEqual([]);
});
