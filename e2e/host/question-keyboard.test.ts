import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { page, useHostPage, world } from './fixture.js';
import { guestOf, show } from './support.js';
import { quietApp } from '../support/guest.js';
import { stolenKeys, toThief, typeAmongThieves, ways, word, type Way } from './thief.js';

useHostPage();

// The keys of the table are its ways.
const everyWay = Object.keys(ways) as Way[];

/** Asks about a link, as the session does for an app, and holds the answer. */
const ask = (): Promise<void> =>
  page.evaluate(() => {
    window.hostHeld['answer'] = 'open';
    const { onOpenLink } = window.hostModule.createConsentDialogs();
    const link = { url: 'https://example.com/', host: 'example.com', server: 'weather', warnings: [] };
    void onOpenLink(link).then((answer) => (window.hostHeld['answer'] = answer));
  });
const answer = (): Promise<unknown> => page.evaluate(() => window.hostHeld['answer']);

test.each(everyWay)(
  'sec-B4 behind a question an app that focuses %s gets one key at most, and Escape is the answer',
  async (way) => {
    await show(page, { html: toThief(way), base: world.base });
    await ask();
    await page.getByRole('dialog').waitFor();
    await typeAmongThieves(page, word);
    expect((await stolenKeys(page)).length).toBeLessThanOrEqual(1);
    expect(await answer()).toBe('open');
    await page.keyboard.press('Escape');
    await eventually(answer).toBe(false);
    expect(await page.getByRole('dialog').count()).toBe(0);
  },
);

test('sec-B4 a press beside the buttons leaves the keyboard with the question', async () => {
  await show(page, { html: toThief('its window and a field', 50), base: world.base });
  await ask();
  await page.getByRole('dialog').getByRole('heading').click();
  await typeAmongThieves(page, word);
  expect((await stolenKeys(page)).length).toBeLessThanOrEqual(1);
  await page.keyboard.press('Escape');
  await eventually(answer).toBe(false);
});

test.each([
  ['a dialog', '<dialog><button>Stay</button></dialog>'],
  ['a question in its text', '<div data-mcp-question role="group"><button>Stay</button></div>'],
])('sec-B4 %s of the page itself keeps the keyboard while the focus is in it', async (_, html) => {
  await show(page, { html: toThief('its window and a field'), base: world.base });
  await page.evaluate((markup) => {
    document.querySelector('main')?.insertAdjacentHTML('beforeend', markup);
    document.querySelector('dialog')?.showModal();
    document.querySelector('main')?.querySelector('button')?.focus();
  }, html);
  await typeAmongThieves(page, word);
  expect((await stolenKeys(page)).length).toBeLessThanOrEqual(1);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Stay');
});

test('after a question the app is as it was, and gets the focus by a click', async () => {
  await show(page, { html: quietApp, base: world.base });
  const field = (await guestOf(page)).locator('input');
  await field.click();
  await ask();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await eventually(answer).toBe(false);
  await field.click();
  await page.keyboard.type(word);
  expect(await field.inputValue()).toBe(word);
  expect(await page.locator('iframe').getAttribute('inert')).toBeNull();
});
