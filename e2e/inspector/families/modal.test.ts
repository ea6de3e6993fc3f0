import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { expect, test } from 'vitest';
import { readFaults } from '../../support/axe.js';
import { eventually } from '../../support/eventually.js';
import { openStage, type Stage } from '../../support/stage.js';
import { browser, casement, useCasement } from '../../support/use-casement.js';

const example = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'examples',
  'families-server',
  'src',
  'server.mjs',
);

useCasement(['--', process.execPath, example]);

const toDialogs = ({ page }: Stage) => page.locator('dialog.app-dialog');
const inDialog = ({ page }: Stage) => page.frameLocator('dialog.app-dialog iframe').frameLocator('iframe');
const asks = (widget: Frame, wish: object): Promise<unknown> =>
  widget.evaluate(`openai.requestModal(${JSON.stringify(wish)}).then(() => 'shown', (e) => e.message)`);
const teardowns = (stage: Stage) => stage.count('app', 'out', 'ui/resource-teardown');

/** The menu as a widget, in the state in which it can be used. */
const openWidget = async (): Promise<{ stage: Stage; widget: Frame; before: number }> => {
  const stage = await openStage(browser, casement.url, { tool: 'show_menu', args: {}, run: true });
  await stage.reaches('ready');
  await stage.page.getByRole('combobox', { name: 'Family', exact: true }).selectOption('OpenAI');
  await eventually(async () => (await stage.snapshot())?.resource?.family).toBe('openai');
  await stage.reaches('ready');
  const widget = await stage.app();
  await eventually(() => widget.locator('li').allTextContents()).toEqual(['margherita', 'marinara']);
  return { stage, widget, before: await teardowns(stage) };
};

test('a widget’s dialog: its view and params in it, Escape ends it, the widget goes on', async () => {
  const { stage, widget, before } = await openWidget();
  const { page } = stage;
  await widget.getByRole('button', { name: 'marinara' }).click();
  const dialog = page.getByRole('dialog', { name: /^App from .+, titled “About marinara”$/ });
  await dialog.getByRole('heading', { name: /^App from .+About marinara/ }).waitFor();
  await eventually(() => inDialog(stage).locator('h1').textContent()).toBe('Today: marinara');
  const readInDialog = (script: string) => inDialog(stage).locator('html').evaluate(script);
  expect(await readInDialog('window.openai.view')).toEqual({ mode: 'modal', params: { dish: 'marinara' } });
  expect(await readInDialog('window.openai.toolOutput')).toEqual({ dishes: ['margherita', 'marinara'] });
  expect(await readInDialog('typeof window.openai.requestModal')).toBe('undefined');
  expect(await dialog.getByRole('button', { name: 'Close' }).evaluate((e) => e.matches(':focus'))).toBe(true);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await eventually(() => page.locator('html').getAttribute('data-theme')).toBe(colorScheme);
    await eventually(() => readInDialog('window.openai.theme')).toBe(colorScheme);
    expect(await readFaults(page)).toEqual([]);
  }
  expect(await asks(widget, { title: 'Another' })).toMatch(/open already/);
  expect(await toDialogs(stage).count()).toBe(1);
  expect(await teardowns(stage)).toBe(before);

  await page.keyboard.press('Escape');
  await eventually(() => toDialogs(stage).count()).toBe(0);
  expect(await teardowns(stage)).toBe(before + 1);
  expect(await page.evaluate(() => document.activeElement?.closest('#app') !== null)).toBe(true);
  expect(await stage.status()).toBe('ready');
  expect(await stage.count('server', 'out', 'tools/call')).toBe(1);

  // A title that says nothing is none.
  expect(await asks(widget, { title: '  ' })).toBe('shown');
  const named = page.getByRole('dialog', { name: /^App from .+, titled “Show the menu”$/ });
  // The dialog grows with the app in it: a press may just miss the button.
  await eventually(async () => {
    await named
      .getByRole('button', { name: 'Close' })
      .click({ timeout: 2000 })
      .catch(() => undefined);
    return toDialogs(stage).count();
  }).toBe(0);
  await stage.close();
});

test('a dialog ends with the app that asked for it, and when the app in it asks to be closed', async () => {
  const { stage, widget } = await openWidget();
  expect(await asks(widget, { params: { dish: 'soup' } })).toBe('shown');
  await eventually(() => inDialog(stage).locator('h1').textContent()).toBe('Today: soup');
  await inDialog(stage).locator('html').evaluate('void window.openai.requestClose()');
  await eventually(() => toDialogs(stage).count()).toBe(0);
  expect(await stage.status()).toBe('ready');

  expect(await asks(widget, { params: { dish: 'soup' } })).toBe('shown');
  await eventually(() => inDialog(stage).locator('h1').textContent()).toBe('Today: soup');
  await widget.evaluate('void window.openai.requestClose()');
  await stage.reaches('closed');
  await eventually(() => toDialogs(stage).count()).toBe(0);
  await stage.close();
});

test('a template that is not there is said in the dialog, which can be closed', async () => {
  const { stage, widget } = await openWidget();
  expect(await asks(widget, { template: 'ui://families/none.html' })).toBe('shown');
  await toDialogs(stage).getByText('Resource not found: ui://families/none.html').waitFor();
  await stage.page.keyboard.press('Escape');
  await eventually(() => toDialogs(stage).count()).toBe(0);
  expect(await stage.status()).toBe('ready');
  await stage.close();
});
