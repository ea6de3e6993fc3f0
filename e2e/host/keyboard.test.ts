import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { page, renewPage, useHostPage, world } from './fixture.js';
import { guestOf, recorded, show } from './support.js';
import { drawTwice, quietApp, toApp } from '../support/guest.js';
import { evaluateUnseen, stolenKeys, toThief, typeAmongThieves, ways, word, type Way } from './thief.js';

useHostPage();

// The keys of the table are its ways.
const everyWay = Object.keys(ways) as Way[];

/** Types a word: the app gets one key of it at most, and the field all others. */
const typeAndCount = async (read: () => Promise<string | null>, thieves = 1): Promise<void> => {
  await typeAmongThieves(page, word, thieves);
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

const isActive = () => evaluateUnseen(page, () => navigator.userActivation.isActive, {});
/** The user does nothing for so long that the browser, and the guard, count nothing any more that was done before. */
const pause = async (): Promise<void> => {
  const readClock = () => evaluateUnseen(page, () => performance.now(), {});
  const start = await readClock();
  await eventually(readClock).toBeGreaterThan(start + 6_500);
  expect(await isActive()).toBe(false);
};
const tellThief = () =>
  evaluateUnseen(page, (context) => window.hostApps[0]?.app.sendHostContextChanged(context), {
    locale: 'de-DE',
  });
const isInApp = () => page.evaluate(() => document.activeElement?.tagName === 'IFRAME');

test('sec-B3 a pause does not hand the keyboard over', async () => {
  await show(page, { html: toThief('one field and another', 30, 'when told'), base: world.base });
  await page.click('#field');
  await pause();
  await tellThief();
  await typeAndCount(readField);
});

/**
 * Keeps the page busy from the moment it loses the focus until the first key of the word was pressed; the result types
 * the others once that has happened. The app has that one key and gets no other.
 */
const keepBusyUntilKey = async (): Promise<() => Promise<void>> => {
  const pressed = new Promise<void>((resolve) => {
    void page.route('**/busy', async (route) => {
      await page.keyboard.press(word.charAt(0));
      await route.fulfill({ body: '' });
      resolve();
    });
  });
  await page.evaluate(() => {
    const wait = (): void => {
      const request = new XMLHttpRequest();
      request.open('GET', '/busy', false);
      request.send();
    };
    addEventListener('blur', wait, { once: true });
  });
  return async () => {
    await pressed;
    await eventually(isInApp).toBe(false);
    await typeAmongThieves(page, word.slice(1));
    expect(await readField()).toBe(word.slice(1));
    expect(await stolenKeys(page)).toEqual([word[0]]);
  };
};

test.each(['one field and another', 'a frame of its own'] as const)(
  'sec-B3 a key that an app took by focusing %s before the host could look is no wish of the user',
  async (way) => {
    const typeTheRest = await keepBusyUntilKey();
    await show(page, { html: toThief(way, 30, 'when told'), base: world.base });
    await page.click('#field');
    await pause();
    await tellThief();
    await typeTheRest();
  },
);

test('sec-B3 nor is it one after a press in another app that left the focus where it was', async () => {
  const typeTheRest = await keepBusyUntilKey();
  await show(page, { html: toThief('its window and a field', 30, 'when told'), base: world.base });
  const pressed = toApp(`
    await bridge.initialize();
    addEventListener('mousedown', (event) => event.preventDefault());
  `);
  await show(page, { html: pressed, base: world.base, server: 'other' });
  const box = await page.locator('iframe').nth(1).boundingBox();
  await page.click('#field');
  await pause();
  await page.mouse.click((box?.x ?? 0) + 300, (box?.y ?? 0) + 50);
  await eventually(isActive).toBe(true);
  expect(await evaluateUnseen(page, () => document.activeElement?.id, {})).toBe('field');
  await tellThief();
  await typeTheRest();
});

test('sec-B3 Tab from one field of the host to the next does not hand the keyboard over', async () => {
  await page.evaluate(() => {
    document.querySelector('#field')?.insertAdjacentHTML('afterend', '<input id="next">');
    document.querySelector('#next')?.addEventListener('focus', () => {
      window.hostApps[0]?.app.sendHostContextChanged({ locale: 'de-DE' });
    });
  });
  await show(page, { html: toThief('its window and a field', 30, 'when told'), base: world.base });
  await page.click('#field');
  await page.keyboard.press('Tab');
  await typeAndCount(() => page.inputValue('#next'));
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
  await typeAndCount(readField, 2);
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
  await eventually(isInApp).toBe(true);
  await page.click('#field');
  await page.keyboard.type('ab');
  await (await guestOf(page)).getByRole('button', { name: 'Edit' }).click();
  await eventually(isInApp).toBe(true);
  await page.keyboard.type('cd');
  expect(await (await appField()).inputValue()).toBe('cd');
  await page.click('#field');
  await page.evaluate(() => document.querySelector('iframe')?.focus());
  await page.waitForFunction(() => document.activeElement?.tagName === 'IFRAME');
  expect(await strikes()).toBe(0);
});

const framing = toApp(`
  await bridge.initialize();
  document.body.insertAdjacentHTML('beforeend', '<iframe id="inner" srcdoc="<input>"></iframe>');
`);
/** Shows an app with a field in a frame of its own, and says where that field is and what is in it. */
const showFraming = async () => {
  await show(page, { html: framing, base: world.base });
  const inner = (await guestOf(page)).frameLocator('#inner').locator('input');
  const box = await inner.boundingBox();
  return { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 10, read: () => inner.inputValue() };
};

test.each([false, true])(
  'a frame that an app contains gets the keyboard by a press after a pause (touch: %s)',
  async (hasTouch) => {
    if (hasTouch) await renewPage({ hasTouch: true, isMobile: true, viewport: { width: 400, height: 700 } });
    const { x, y, read } = await showFraming();
    await page.locator('#field').click();
    await page.keyboard.type('ab');
    await pause();
    await (hasTouch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
    await eventually(isInApp).toBe(true);
    await page.keyboard.type('cd');
    expect(await read()).toBe('cd');
    expect(await readField()).toBe('ab');
    expect(await strikes()).toBe(0);
  },
);

test('a frame that an app contains gets the keyboard right after typing when it is pressed again and again', async () => {
  const { x, y, read } = await showFraming();
  const isInert = () => page.locator('iframe').evaluate((one: HTMLIFrameElement) => one.inert);
  await page.click('#field');
  await page.keyboard.type('ab');
  await page.mouse.click(x, y);
  await eventually(strikes).toBe(1);
  // Until the page is drawn with the inert frame, the pointer is still over the app.
  const movePointer = async (): Promise<boolean> => {
    await page.mouse.move(x + 5, y + 5);
    await page.mouse.move(x, y);
    return isInert();
  };
  await eventually(movePointer).toBe(false);
  await drawTwice(page);
  await page.mouse.click(x, y);
  await eventually(strikes).toBe(2);
  // Now a pointer that moves over it does not wake it, so that no third time ends it; a press does.
  await page.evaluate(() => addEventListener('pointermove', () => (window.hostHeld['moved'] = true)));
  const isMoveSeen = async (): Promise<unknown> =>
    (await movePointer()) && page.evaluate(() => window.hostHeld['moved']);
  await eventually(isMoveSeen).toBe(true);
  await page.keyboard.type('c');
  expect(await readField()).toBe('abc');
  expect(await isInert()).toBe(true);
  await page.mouse.click(x, y);
  await eventually(isInert).toBe(false);
  await drawTwice(page);
  await page.mouse.click(x, y);
  await eventually(isInApp).toBe(true);
  await page.keyboard.type('de');
  expect(await read()).toBe('de');
  expect(await strikes()).toBe(2);
  expect(await failureOf()).toBeUndefined();
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
