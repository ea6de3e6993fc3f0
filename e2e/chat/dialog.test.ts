import { readFileSync } from 'node:fs';
import type { Frame, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readFaults } from '../support/axe.js';
import { eventually, waitUntil } from '../support/eventually.js';
import { appReaches, guestOf, say, settled, snapshotOf, useChat, type ChatPlan } from './support.js';

const chat = useChat();

const menu = readFileSync(
  new URL('../../examples/families-server/src/menu-widget.html', import.meta.url),
  'utf8',
);
const dishes = ['margherita', 'marinara'];
const plan: ChatPlan = {
  servers: [
    {
      name: 'kitchen',
      tools: [
        {
          name: 'menu',
          title: 'Show the menu',
          widget: menu,
          result: { content: [{ type: 'text', text: 'The menu.' }], structuredContent: { dishes } },
        },
        {
          name: 'slow',
          widget: menu,
          waits: true,
          result: { content: [], structuredContent: { dishes: ['soup'] } },
        },
      ],
    },
  ],
  answers: { message: true },
};

const dialogs = (page: Page): Locator => page.locator('dialog.casement-dialog');
const inDialog = (page: Page) => page.frameLocator('dialog.casement-dialog iframe').frameLocator('iframe');
const readInDialog = (page: Page, script: string): Promise<unknown> =>
  inDialog(page).locator('html').evaluate(script);
const asks = (widget: Frame, wish: object): Promise<unknown> =>
  widget.evaluate(`openai.requestModal(${JSON.stringify(wish)}).then(() => 'shown', (e) => e.message)`);
const gone = (page: Page) => eventually(() => dialogs(page).count()).toBe(0);
/** Whether the element that has the focus is what a selector means, or in it. */
const holdsFocus = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((wanted) => document.activeElement?.closest(wanted) !== null, selector);

const openWidget = async (look: Parameters<typeof chat.open>[1] = {}, tool = 'menu') => {
  const page = await chat.open(plan, look);
  await say(page, `/${tool} {}`);
  await appReaches(page, 'call_1');
  return { page, widget: await guestOf(page, 'call_1') };
};

test('a widget’s dialog has its view, params, input and result, is named by its title, and Escape ends it', async () => {
  const { page, widget } = await openWidget();
  await settled(page);
  const marinara = widget.getByRole('button', { name: 'marinara' });
  await marinara.click();
  const dialog = page.getByRole('dialog', { name: 'App from kitchen, titled “About marinara”', exact: true });
  await dialog.getByRole('heading', { name: /^App from kitchen, .*About marinara/ }).waitFor();
  await eventually(() => inDialog(page).locator('h1').textContent()).toBe('Today: marinara');
  expect(await readInDialog(page, 'openai.view')).toEqual({ mode: 'modal', params: { dish: 'marinara' } });
  await eventually(() => readInDialog(page, 'openai.toolOutput')).toEqual({ dishes });
  // A dialog has none of its own, and nothing to tell the model: what is in it is gone with it.
  expect(await readInDialog(page, 'typeof openai.requestModal')).toBe('undefined');
  expect(await dialog.getByRole('button', { name: 'Close' }).evaluate((one) => one.matches(':focus'))).toBe(
    true,
  );
  expect(await asks(widget, { title: 'Another' })).toMatch(/open already/);
  expect(await dialogs(page).count()).toBe(1);

  await page.keyboard.press('Escape');
  await gone(page);
  await eventually(() => holdsFocus(page, '[data-mcp-app-id="call_1"] iframe')).toBe(true);
  expect((await snapshotOf(page, 'call_1'))?.status).toBe('ready');
  expect(await page.evaluate(() => window.chat.calls.length)).toBe(1);
  expect(chat.errors).toEqual([]);
});

test.each([
  { theme: 'light', viewport: { width: 1440, height: 900 } },
  { theme: 'dark', viewport: { width: 390, height: 700 } },
] as const)('nothing serious is found in $theme at $viewport.width px, Close ends it', async (look) => {
  const { page, widget } = await openWidget(look);
  await settled(page);
  // A title that says nothing is none; one that would turn or break the line is written out.
  expect(await asks(widget, { title: '  ', params: { dish: 'soup' } })).toBe('shown');
  const unnamed = page.getByRole('dialog', { name: 'App from kitchen, titled “Show the menu”', exact: true });
  await unnamed.getByRole('button').click();
  await gone(page);
  expect(await asks(widget, { title: '<b>Half\u202e price</b>', params: { dish: 'soup' } })).toBe('shown');
  const name = 'App from kitchen, titled “<b>Half\\u{202e} price</b>”';
  const dialog = page.getByRole('dialog', { name, exact: true });
  await eventually(() => inDialog(page).locator('h1').textContent()).toBe('Today: soup');
  await eventually(() => readInDialog(page, 'openai.theme')).toBe(look.theme);
  expect(await readFaults(page)).toEqual([]);
  const box = await dialog.boundingBox();
  expect(box?.width).toBeLessThanOrEqual(look.viewport.width);
  expect(box?.height).toBeLessThanOrEqual(look.viewport.height);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await gone(page);
});

test('the focus stays in the dialog, whoever wants it', async () => {
  const { page, widget } = await openWidget();
  await settled(page);
  expect(await asks(widget, { title: 'Mine', params: { dish: 'soup' } })).toBe('shown');
  await eventually(() => inDialog(page).locator('h1').textContent()).toBe('Today: soup');
  // The widget behind takes it, although it cannot be clicked.
  await widget.evaluate(() => document.querySelector('button')?.focus());
  await eventually(() => holdsFocus(page, 'dialog.casement-dialog')).toBe(true);
  await page.evaluate(() => document.querySelector('textarea')?.focus());
  expect(await holdsFocus(page, 'dialog.casement-dialog')).toBe(true);
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press('Tab');
    expect(await holdsFocus(page, '.casement-thread, .casement-composer, .casement-scroll')).toBe(false);
  }
});

test('a result that comes later, and a theme that changes, reach the dialog too', async () => {
  const { page, widget } = await openWidget({}, 'slow');
  expect(await asks(widget, { params: { dish: 'soup' } })).toBe('shown');
  await eventually(() => inDialog(page).locator('h1').textContent()).toBe('Today: soup');
  expect(await readInDialog(page, 'openai.toolOutput')).toBeNull();
  await page.evaluate(() => window.chat.release('slow'));
  await eventually(() => readInDialog(page, 'openai.toolOutput')).toEqual({ dishes: ['soup'] });
  await page.evaluate(() => (document.documentElement.style.colorScheme = 'dark'));
  await eventually(() => readInDialog(page, 'openai.theme')).toBe('dark');
});

test('what the widget had kept is there for its own document in a dialog, and for no other', async () => {
  const { page, widget } = await openWidget();
  await settled(page);
  await widget.evaluate(`openai.setWidgetState({ table: 4 })`);
  await eventually(async () => (await snapshotOf(page, 'call_1'))?.widgetState).toEqual({ table: 4 });
  for (const [wish, kept] of [
    [{}, { table: 4 }],
    [{ template: 'ui://kitchen/slow' }, null],
  ] as const) {
    expect(await asks(widget, { ...wish, params: { dish: 'soup' } })).toBe('shown');
    await eventually(() => inDialog(page).locator('h1').textContent()).toBe('Today: soup');
    expect(await readInDialog(page, 'openai.widgetState')).toEqual(kept);
    await page.keyboard.press('Escape');
    await gone(page);
  }
});

test('a message from the dialog is the app’s message in the conversation', async () => {
  const { page, widget } = await openWidget();
  await settled(page);
  expect(await asks(widget, { params: { dish: 'soup' } })).toBe('shown');
  await eventually(() => inDialog(page).locator('h1').textContent()).toBe('Today: soup');
  await readInDialog(page, `void openai.sendFollowUpMessage({ prompt: 'One soup, please.' })`);
  await eventually(() => page.locator('[data-written-by="app"]').textContent()).toContain(
    'One soup, please.',
  );
  expect(await dialogs(page).count()).toBe(1);
});

test('it ends when the app in it asks to be closed, when the one behind reloads, and when that is closed', async () => {
  const { page, widget } = await openWidget();
  await settled(page);
  const shows = async (frame: Frame): Promise<void> => {
    expect(await asks(frame, { params: { dish: 'soup' } })).toBe('shown');
    await eventually(() => inDialog(page).locator('h1').textContent()).toBe('Today: soup');
  };
  await shows(widget);
  await readInDialog(page, 'void openai.requestClose()');
  await gone(page);
  expect((await snapshotOf(page, 'call_1'))?.status).toBe('ready');

  await shows(widget);
  await widget.evaluate('location.reload()');
  await gone(page);
  await appReaches(page, 'call_1');
  const again = await waitUntil(
    async () => {
      const frame = await guestOf(page, 'call_1');
      const hasMenu = (await frame.locator('li').count()) > 0;
      return hasMenu ? frame : undefined;
    },
    (frame) => frame !== undefined,
    { what: 'The menu after the reload' },
  );
  if (!again) throw new Error('unreachable: an absent frame does not pass');
  await shows(again);
  await again.evaluate('void openai.requestClose()');
  await gone(page);
  await page.getByText('This app was closed.').waitFor();
});

test('an app that cannot be seen opens no dialog, and one whose template is not there says so in it', async () => {
  const { page, widget } = await openWidget();
  await settled(page);
  expect(await asks(widget, { template: 'ui://kitchen/none' })).toBe('shown');
  await dialogs(page).getByText('This app cannot be shown.').waitFor();
  await page.keyboard.press('Escape');
  await gone(page);
  await page.locator('.casement-chat').evaluate((root) => (root.style.visibility = 'hidden'));
  expect(await asks(widget, { title: 'Unseen' })).toMatch(/out of sight/);
  expect(await dialogs(page).count()).toBe(0);
});
