import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBlocks } from '../../packages/server/src/guide-blocks.test-support.js';
import { verifies } from '../../test/verifies.js';
import { launchBrowser } from '../support/browser.js';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { eventually } from '../support/eventually.js';
import { toMessages } from '../support/recorded.js';
import { openStage, type Stage } from '../support/stage.js';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.cache/first-app');
const guide = readFileSync(join(root, 'docs/guide/first-app.md'), 'utf8');
const blocks = readBlocks(guide);
const files = blocks.filter(({ file }) => file !== undefined);
const [install = '', run = ''] = blocks
  .filter(({ language }) => language === 'sh')
  .map(({ code }) => code.trim());

let browser: Browser;
let casement: RunningCasement;
let stage: Stage;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  for (const { file = '', code } of files) writeFileSync(join(folder, file), code);
  // The command of the guide, but for the program's place and the options tests need.
  const words = run.split(' ').slice(2);
  [browser, casement] = await Promise.all([launchBrowser(), startCasement(words, { cwd: folder })]);
  stage = await openStage(browser, casement.url);
  await stage.reaches('ready');
});

afterAll(async () => {
  await browser?.close();
  await casement?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const rolled = async () => (await stage.app()).locator('#rolled').textContent();

/** The steps of one of the guide's walks, as `app > host name`. */
const readWalk = (title: string): string[] => {
  const [, list = ''] = new RegExp(`\\*\\*${title}\\*\\*[^\\n]*\\n\\n((?:\\d\\. .*\\n)+)`).exec(guide) ?? [];
  return [...list.matchAll(/^\d\. (\w+) → (\w+) (?:`([^`]+)`|the answer)/gm)].map(
    ([, from, to, method = 'answer']) => `${from} > ${to} ${method}`,
  );
};

const readSteps = async (): Promise<string[]> =>
  toMessages(await stage.recording()).map(({ leg, dir, method = 'answer' }) => {
    const other = leg === 'app' ? 'app' : 'server';
    return dir === 'in' ? `${other} > host ${method}` : `host > ${other} ${method}`;
  });

test('the guide has the two files and two commands it speaks of', () => {
  expect(files.map(({ file }) => file)).toEqual(['dice.html', 'server.mjs']);
  expect(blocks).toHaveLength(4);
  expect(run).toBe('npx casement --run roll_dice node server.mjs');
  const server = files[1]?.code ?? '';
  const imported = [...server.matchAll(/ from '((?:@[^/']+\/)?[^/']+)/g)].map(([, name = '']) => name);
  const wanted = new Set(imported.filter((name) => !name.startsWith('node:')));
  expect(new Set(install.split(' ').slice(2))).toEqual(wanted);
});

describe('the first app', () => {
  test('shows the result of the call that brought it', async () => {
    await eventually(rolled).toMatch(/^[1-6] of 6$/);
    expect((await stage.snapshot())?.failure).toBeUndefined();
  });

  verifies('S3-80', 'the handshake goes as the guide tells it', async () => {
    const walk = readWalk('The handshake.');
    expect(walk).toHaveLength(5);
    const steps = (await readSteps()).filter((step) => step.includes('app'));
    const start = steps.indexOf('app > host ui/initialize');
    const told = steps.slice(start).filter((step) => walk.includes(step));
    expect(told.slice(0, 5)).toEqual(walk);
  });

  verifies(['S3-79', 'S3-01'], 'a tool call of the page goes as the guide tells it', async () => {
    const walk = readWalk('A tool call from the page.');
    expect(walk).toHaveLength(4);
    const before = (await readSteps()).length;
    await (await stage.app()).locator('#again').click();
    const told = async () => (await readSteps()).slice(before).filter((step) => walk.includes(step));
    await eventually(told).toEqual(walk);
    await eventually(rolled).toMatch(/^[1-6] of 6$/);
  });
});
