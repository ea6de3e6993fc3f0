import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { settled, useChat } from './support.js';
import { forecastTool } from './thread-fixtures.js';

const chat = useChat();
const servers = [
  { name: 'weather', tools: [forecastTool, { name: 'get_alerts' }, { name: 'search' }] },
  { name: 'files', tools: [{ name: 'search' }] },
];

const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const saidOf = (page: Page) => page.locator('li[data-role="user"] .casement-parts').allTextContents();
const options = (page: Page) => page.getByRole('option').locator('b').allTextContents();

describe('keys', () => {
  test('Enter sends, Shift and Enter begins a line, nothing but space is not sent', async () => {
    const page = await chat.open();
    const field = fieldOf(page);
    await field.press('Enter');
    await field.fill('  ');
    await field.press('Enter');
    expect(await saidOf(page)).toEqual([]);
    await field.fill('one');
    await field.press('Shift+Enter');
    await field.pressSequentially('two');
    await field.press('Enter');
    await settled(page);
    expect(await saidOf(page)).toEqual(['one\ntwo']);
    expect(await field.inputValue()).toBe('');
  });

  test('an Enter that ends the composing of a word does not send', async () => {
    const page = await chat.open();
    const field = fieldOf(page);
    await field.fill('にほん');
    await field.evaluate((node) => {
      const init = { key: 'Enter', bubbles: true, cancelable: true };
      node.dispatchEvent(new KeyboardEvent('keydown', { ...init, isComposing: true }));
      // The way of Safari: composing is over, but the key says that it was for the input method.
      node.dispatchEvent(new KeyboardEvent('keydown', { ...init, keyCode: 229 }));
    });
    expect(await saidOf(page)).toEqual([]);
    await field.press('Enter');
    await settled(page);
    expect(await saidOf(page)).toEqual(['にほん']);
  });
});

describe('a slash', () => {
  test('lists the tools, and the arrow keys choose one with its arguments to fill in', async () => {
    const page = await chat.open({ servers });
    await eventually(() => page.getByRole('button', { name: '4 tools' }).count()).toBe(1);
    const field = fieldOf(page);
    await field.fill('/');
    await eventually(() => options(page)).toEqual([
      'get_forecast',
      'get_alerts',
      'weather__search',
      'files__search',
    ]);
    const readActive = () =>
      field.evaluate(
        (node) => document.getElementById(node.getAttribute('aria-activedescendant') ?? '')?.textContent,
      );
    expect(await readActive()).toContain('get_forecast');
    await field.press('ArrowDown');
    expect(await readActive()).toContain('get_alerts');
    await field.press('ArrowUp');
    await field.press('ArrowUp');
    expect(await readActive()).toContain('files__search');
    await eventually(() => page.getByRole('status').allTextContents()).toContainEqual(
      expect.stringContaining('4 tools'),
    );

    await field.fill('/FORE');
    expect(await options(page)).toEqual(['get_forecast']);
    await field.press('Enter');
    expect(await field.inputValue()).toBe('/get_forecast {"city":""}');
    expect(await page.getByRole('listbox').count()).toBe(0);
    await page.keyboard.type('Lisbon');
    await field.press('Enter');
    await settled(page);
    expect(await page.evaluate(() => window.chat.calls)).toEqual([
      { server: 'weather', name: 'get_forecast', arguments: { city: 'Lisbon' }, caller: 'model' },
    ]);
  });

  test('is left by Escape, chosen by a click, and sends a whole name that needs nothing', async () => {
    const page = await chat.open({ servers });
    await eventually(() => page.getByRole('button', { name: '4 tools' }).count()).toBe(1);
    const field = fieldOf(page);
    await field.fill('/get');
    await field.press('Escape');
    expect(await page.getByRole('listbox').count()).toBe(0);
    expect(await field.inputValue()).toBe('/get');
    await field.fill('/get_');
    await page.getByRole('option').nth(1).click();
    expect(await field.inputValue()).toBe('/get_alerts {}');
    expect(await field.evaluate((node) => node === document.activeElement)).toBe(true);
    await field.fill('/none');
    expect(await page.getByText('No tool has this name.').first().isVisible()).toBe(true);
    await field.fill('/get_alerts');
    await field.press('Enter');
    await settled(page);
    expect(await page.evaluate(() => window.chat.calls.length)).toBe(1);
  });
});

test('the page hears the draft and can suggest one', async () => {
  const page = await chat.open();
  await page.evaluate(() => {
    window.chat.render({
      suggestion: { text: 'What about this?' },
      onDraft: (draft: string) => (document.body.dataset.draft = draft),
    });
  });
  const field = fieldOf(page);
  await eventually(() => field.inputValue()).toBe('What about this?');
  expect(await field.evaluate((node) => node === document.activeElement)).toBe(true);
  await page.keyboard.type('!');
  expect(await page.locator('body').getAttribute('data-draft')).toBe('What about this?!');
});

test('an answer that is complete is told to those who do not see it, once', async () => {
  const page = await chat.open({ script: [{ text: 'Here is the answer.' }] });
  await fieldOf(page).fill('Hello');
  await fieldOf(page).press('Enter');
  await settled(page);
  const read = async () => (await page.getByRole('status').allTextContents()).join(' ');
  await eventually(read).toContain('Answer complete. Here is the answer.');
  expect((await read()).match(/Answer complete/g)).toHaveLength(1);
});
