import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
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

const badge = (stage: Stage) => stage.page.locator('[data-app-head] .badge').textContent();
const open = (tool: string, args: Record<string, unknown> = {}) =>
  openStage(browser, casement.url, { tool, args, run: true });

verifies(
  'S1-128',
  'the OpenAI example in the inspector: badges, its tool and its state from both sides, what is withheld',
  async () => {
    const stage = await open('show_pizzas');
    await stage.reaches('ready');
    const app = await stage.app();
    await eventually(() => app.locator('li').allTextContents()).toEqual(['tomato', 'basil']);
    expect(await badge(stage)).toBe('OpenAI');
    expect(
      await stage.page.getByRole('option', { name: 'show_pizzas' }).locator('.badge').textContent(),
    ).toBe('OpenAI');
    await app.getByRole('button', { name: 'Add olives' }).click();
    await eventually(() => app.locator('li').allTextContents()).toEqual(['tomato', 'basil', 'olives']);
    expect(await stage.count('app', 'in', 'tools/call')).toBe(1);
    await app.getByRole('button', { name: 'basil' }).click();
    await eventually(async () => (await stage.snapshot())?.widgetState).toEqual({
      chosen: 'basil',
      modelContent: { favourite: 'basil' },
    });
    await eventually(async () => (await stage.snapshot())?.modelContext).toEqual({
      structuredContent: { favourite: 'basil' },
    });
    await stage.reloadApp();
    await eventually(async () => (await stage.app()).locator('li.chosen').allTextContents()).toEqual([
      'basil',
    ]);
    await stage.page.getByRole('tab', { name: 'State' }).click();
    const methods = stage.page.getByRole('region', { name: 'window.openai' });
    expect(await methods.textContent()).toMatch(/Offered.*callTool.*requestModal.*Withheld.*uploadFile/);
    await stage.close();
  },
);

verifies('S1-04', 'the MCP-UI example in the inspector: shown from the result, with its badge', async () => {
  const stage = await open('start_poll', { question: 'Thin or thick?' });
  await stage.reaches('ready');
  const app = await stage.app();
  await eventually(() => app.locator('h1').textContent()).toBe('Thin or thick?');
  expect(await badge(stage)).toBe('MCP-UI');
  await app.getByRole('button', { name: 'thin' }).click();
  await eventually(() => app.locator('#counts').textContent()).toBe('thin: 1, thick: 0');
  expect(await stage.count('app', 'in', 'tools/call')).toBe(1);
  expect(await stage.count('server', 'out', 'resources/read')).toBe(0);
  await stage.close();
});

test('a tool of the same server without an app shows its result as ever', async () => {
  const stage = await open('vote', { answer: 'thick' });
  await eventually(() => stage.page.locator('.placeholder').textContent()).toContain('has no app');
  expect(await stage.snapshot()).toBeUndefined();
  await stage.close();
});
