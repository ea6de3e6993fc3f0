import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBlocks } from '../../../packages/server/src/guide-blocks.test-support.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { startCasement, type RunningCasement } from '../../support/casement.js';
import { eventually } from '../../support/eventually.js';
import { openStage } from '../../support/stage.js';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, '.cache/openai-only');
const guide = readBlocks(readFileSync(join(root, 'docs/guide/every-host.md'), 'utf8'));

let browser: Browser;
let casement: RunningCasement;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'openai-only.mjs');
  writeFileSync(file, guide.find((block) => block.file === 'openai-only.mjs')?.code ?? '');
  [browser, casement] = await Promise.all([openBrowser(), startCasement(['--', process.execPath, file])]);
});

afterAll(async () => {
  await closeContexts();
  await casement?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('one page is the app of a host that knows both families, and the widget of one that knows the other alone', async () => {
  const stage = await openStage(browser, casement.url, { tool: 'list_notes', args: {}, run: true });
  /** A frame that is just being replaced says nothing. */
  const read = async () => {
    try {
      return await (
        await stage.app()
      ).evaluate(() => ({
        notes: [...document.querySelectorAll('li')].map((item) => item.textContent),
        openai: 'openai' in window,
      }));
    } catch {
      return undefined;
    }
  };
  await stage.reaches('ready');
  await eventually(read).toEqual({ notes: ['Buy bread'], openai: false });
  expect((await stage.snapshot())?.resource).toMatchObject({ uri: 'ui://widget/list_notes.html' });

  await stage.page.getByRole('combobox', { name: 'Family', exact: true }).selectOption('OpenAI');
  await eventually(read).toEqual({ notes: ['Buy bread'], openai: true });
  await stage.reaches('ready');
  expect((await stage.snapshot())?.resource).toMatchObject({
    uri: 'ui://widget/list_notes.skybridge.html',
    family: 'openai',
  });
  await stage.close();
});
