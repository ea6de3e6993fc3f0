import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { page, renewPage, useHostPage, world } from './fixture.js';
import { guestOf, recorded, show } from './support.js';
import { quietApp, toApp } from '../support/guest.js';
import { stolenKeys, toThief, ways, word, type Way } from './thief.js';

useHostPage();

// The keys of the table are its ways.
const everyWay = Object.keys(ways) as Way[];

/** Types a word as a person does: the app gets one key of it at most, and the field all others. */
const typeAndCount = async (read: () => Promise<string | null>): Promise<void> => {
  await page.keyboard.type(word, { delay: 80 });
  const kept = (await read()) ?? '';
  const stolen = await stolenKeys(page);
  expect(stolen.length).toBeLessThanOrEqual(1);
  // In order, and nothing but the word.
  const isMissingOne = [...word].some((_, at) => kept === word.slice(0, at) + word.slice(at + 1));
  expect(kept === word || isMissingOne, `typed ${word}, kept ${kept}`).toBe(true);
};
const readField = (): Promise<string> => page.inputValue('#field');
const strikes = async (): Promise<number> =>
  (await recorded(page, 'finding')).filter((raw) => Object(raw)['code'] === 'focus-taken').length;
const failureOf = (): Promise<string | undefined> =>
  page.evaluate(() => window.hostApps[0]?.app.getSnapshot().failure?.code);

test.each(everyWay)('sec-B3 an app that focuses %s gets one key of a word at most', async (way) => {
  await show(page, { html: toThief(way), base: world.base });
  await page.click('#field');
  await typeAndCount(readField);
});

test.each([10, 50, 170])(
  'sec-B3 an app that takes the focus every %d ms gets one key at most, and is stopped with a reason',
  async (everyMs) => {
    await show(page, { html: toThief('its window and a field', everyMs), base: world.base });
    await page.click('#field');
    await typeAndCount(readField);
    await eventually(failureOf).toBe('keyboard-taken');
    await page.getByText('it took the keyboard while you were typing').waitFor();
    expect(await strikes()).toBeGreaterThanOrEqual(2);
    await page.getByRole('button', { name: 'Reload' }).click();
    await eventually(() => page.locator('iframe').count()).toBe(1);
  },
);

test('sec-B3 a pause does not hand the keyboard over', async () => {
  await show(page, { html: toThief('one field and another'), base: world.base });
  await page.click('#field');
  // The page's own clock alone: what is evaluated in a frame of the app counts as an action of the user there.
  await page.evaluate(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 11_000;
  });
  await typeAndCount(readField);
});

test.each(['a click in it', 'a pointer that rests on it'])(
  'sec-B3 %s a moment before does not hand the keyboard over to an app',
  async (before) => {
    await show(page, { html: toThief('one field and another'), base: world.base });
    const box = await page.locator('iframe').boundingBox();
    const [x, y] = [(box?.x ?? 0) + 300, (box?.y ?? 0) + 150];
    if (before === 'a click in it') await page.mouse.click(x, y);
    await page.locator('#field').focus();
    await page.mouse.move(x, y);
    await typeAndCount(readField);
  },
);

test.each([
  ['a text area', '<textarea id="target"></textarea>'],
  ['editable text', '<div id="target" contenteditable="true" style="min-height: 20px"></div>'],
  ['a shadow root in another', '<div id="outer"></div>'],
])('sec-B3 %s of the host keeps its keys', async (_, html) => {
  await page.evaluate((markup) => {
    document.querySelector('main')?.insertAdjacentHTML('beforeend', markup);
    const outer = document.querySelector('#outer')?.attachShadow({ mode: 'open' });
    const middle = document.createElement('div');
    outer?.append(middle);
    if (outer) middle.attachShadow({ mode: 'open' }).innerHTML = '<input id="target">';
  }, html);
  await show(page, { html: toThief('its window and a field'), base: world.base, inShadow: true });
  const target = page.locator('#target');
  await target.click();
  await typeAndCount(() => target.evaluate((one) => ('value' in one ? String(one.value) : one.textContent)));
});

test('sec-B3 two apps that take turns get no more than one key', async () => {
  await show(page, { html: toThief('its window', 30), base: world.base });
  await show(page, { html: toThief('one field and another', 50), base: world.base });
  await page.click('#field');
  await typeAndCount(readField);
  expect((await stolenKeys(page, 1)).length).toBeLessThanOrEqual(1);
});

const appField = async () => (await guestOf(page)).locator('input').first();

test.each([false, true])(
  'an app that behaves is used with the host by turns, by press (touch: %s)',
  async (hasTouch) => {
    if (hasTouch) await renewPage({ hasTouch: true, isMobile: true, viewport: { width: 400, height: 700 } });
    await show(page, { html: quietApp, base: world.base });
    const inApp = await appField();
    const field = page.locator('#field');
    for (const each of ['abc', 'defg']) {
      await (hasTouch ? field.tap() : field.click());
      await page.keyboard.type(each);
      await (hasTouch ? inApp.tap() : inApp.click());
      await page.keyboard.type(each);
    }
    expect(await field.inputValue()).toBe('abcdefg');
    expect(await inApp.inputValue()).toBe('abcdefg');
    expect(await strikes()).toBe(0);
    expect(await page.locator('iframe').getAttribute('inert')).toBeNull();
  },
);

test('an app that behaves is reached and left by Tab', async () => {
  await show(page, { html: quietApp, base: world.base });
  await page.click('#field');
  await page.keyboard.type('ab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('cd');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type('x');
  expect(await (await appField()).inputValue()).toBe('cd');
  expect(await strikes()).toBe(0);
});

test('an app may take the focus after a press in it, when the host gives it, and while no field is in use', async () => {
  const late = toApp(`
    document.querySelector('input').focus();
    await bridge.initialize();
    document.body.insertAdjacentHTML('beforeend', '<button>Edit</button>');
    document.querySelector('button').onmousedown = (event) => event.preventDefault();
    document.querySelector('button').onclick = () => setTimeout(() => document.querySelector('input').focus(), 300);
  `);
  await show(page, { html: late, base: world.base });
  const isInApp = () => page.evaluate(() => document.activeElement?.tagName);
  await eventually(isInApp).toBe('IFRAME');
  await page.click('#field');
  await page.keyboard.type('ab');
  await (await guestOf(page)).getByRole('button', { name: 'Edit' }).click();
  await eventually(isInApp).toBe('IFRAME');
  await page.keyboard.type('cd');
  expect(await (await appField()).inputValue()).toBe('cd');
  await page.click('#field');
  await page.evaluate(() => document.querySelector('iframe')?.focus());
  await page.waitForFunction(() => document.activeElement?.tagName === 'IFRAME');
  expect(await strikes()).toBe(0);
});

// Focuses its field once, by itself, when the host says so.
const eager = toApp(`
  await bridge.initialize();
  const [field] = document.querySelectorAll('input');
  addEventListener('message', ({ data }) => { if (data.method?.endsWith('host-context-changed')) field.focus(); });
`);

test('an app that took the focus once is not stopped, and is reached by pointer, and by Tab', async () => {
  await show(page, { html: eager, base: world.base });
  const frame = page.locator('iframe');
  const isInert = () => frame.evaluate((one: HTMLIFrameElement) => one.inert);
  await page.click('#field');
  await page.keyboard.type('a');
  await page.evaluate(() => window.hostApps[0]?.app.sendHostContextChanged({ locale: 'de-DE' }));
  await eventually(strikes).toBe(1);
  await page.keyboard.type('b');
  expect(await readField()).toBe('ab');
  expect(await isInert()).toBe(true);
  const box = await frame.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 100);
  await eventually(isInert).toBe(false);
  await (await appField()).click();
  await page.keyboard.type('cd');
  await page.click('#field');
  expect(await isInert()).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.type('ef');
  expect(await isInert()).toBe(false);
  expect(await (await appField()).inputValue()).toMatch(/ef$/);
  expect(await strikes()).toBe(1);
  expect(await failureOf()).toBeUndefined();
});
