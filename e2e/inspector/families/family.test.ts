import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { openStage, shownFrame, type Stage } from '../../support/stage.js';
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

const toChoice = ({ page }: Stage) => page.getByRole('combobox', { name: 'Family', exact: true });
const toBadges = ({ page }: Stage) => page.locator('[data-app-head] .badge').allTextContents();
const open = (tool: string) => openStage(browser, casement.url, { tool, args: {}, run: true });

/** What the app says it is and what it has got; a frame that is just being replaced says nothing. */
const readApp = async (stage: Stage) => {
  try {
    return await (
      await stage.app()
    ).evaluate(() => ({
      heading: document.querySelector('h1')?.textContent,
      dishes: [...document.querySelectorAll('li')].map((item) => item.textContent),
      scheme: document.documentElement.style.colorScheme,
      openai: 'openai' in window,
    }));
  } catch {
    return undefined;
  }
};

const dishes = ['margherita', 'marinara'];
const asApp = { heading: 'Menu, as an MCP App', dishes, openai: false };
const asWidget = { heading: 'Menu, as an OpenAI widget', dishes, openai: true };

test('of two families the user chooses; the tool is called once and the choice is remembered', async () => {
  const stage = await open('show_menu');
  await stage.reaches('ready');
  await eventually(() => readApp(stage)).toMatchObject(asApp);
  // The choice is drawn once the app is up.
  await eventually(() => toChoice(stage).locator('option').allTextContents()).toEqual(['MCP App', 'OpenAI']);
  expect(await toBadges(stage)).toEqual([]);
  expect(await toChoice(stage).inputValue()).toBe('mcp-apps');
  await stage.setTheme('dark');
  await stage.page.getByRole('combobox', { name: 'Locale', exact: true }).selectOption('de-DE');

  // By keyboard, as a user without a mouse would.
  await toChoice(stage).focus();
  await stage.page.keyboard.press('o');
  await eventually(() => readApp(stage)).toEqual({ ...asWidget, scheme: 'dark' });
  await stage.reaches('ready');
  expect((await stage.snapshot())?.hostContext).toMatchObject({ theme: 'dark', locale: 'de-DE' });
  await eventually(() => toBadges(stage)).toEqual(['OpenAI']);
  expect((await stage.snapshot())?.resource).toMatchObject({
    uri: 'ui://families/menu-widget.html',
    family: 'openai',
  });
  expect(await stage.count('server', 'out', 'tools/call')).toBe(1);
  expect(await stage.page.locator(shownFrame).count()).toBe(1);

  await stage.run();
  await eventually(() => readApp(stage)).toMatchObject(asWidget);
  expect(await toChoice(stage).inputValue()).toBe('openai');
  expect(await stage.count('server', 'out', 'tools/call')).toBe(2);

  await toChoice(stage).selectOption('MCP App');
  await eventually(() => readApp(stage)).toMatchObject(asApp);
  await eventually(() => toBadges(stage)).toEqual([]);
  expect(await stage.count('server', 'out', 'tools/call')).toBe(2);
  await stage.close();
});

test('two choices in a row end with one app, that of the second', async () => {
  const stage = await open('show_menu');
  await stage.reaches('ready');
  await toChoice(stage).selectOption('OpenAI');
  await toChoice(stage).selectOption('MCP App');
  await eventually(() => readApp(stage)).toMatchObject(asApp);
  await eventually(() => stage.page.locator(shownFrame).count()).toBe(1);
  await stage.reaches('ready');
  expect(await toBadges(stage)).toEqual([]);
  await stage.close();
});

test('a tool of one family has nothing to choose', async () => {
  const stage = await open('show_pizzas');
  await stage.reaches('ready');
  expect(await stage.page.getByRole('combobox', { name: 'Theme', exact: true }).count()).toBe(1);
  expect(await toChoice(stage).count()).toBe(0);
  await stage.close();
});
