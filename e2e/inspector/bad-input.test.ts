import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, openBrowser } from '../support/browser.js';
import { runCasement, startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { fixtureServer } from '../support/server-commands.js';
import { openStage, type Stage } from '../support/stage.js';

const folder = createTempFolder();
const badInput = join(import.meta.dirname, '../fixtures/bad-input-server.mjs');
const babble = 'console.log("Server started on port 3000")';
let browser: Browser;
let casement: RunningCasement;
let stage: Stage;

beforeAll(async () => {
  const config = writeConfig(folder.path, {
    good: fixtureServer({ name: 'good' }),
    crasher: fixtureServer({ name: 'crasher' }),
    many: [process.execPath, badInput, '--tools', '5000'],
    noisy: [process.execPath, badInput, '--noise'],
    babbler: [process.execPath, '-e', babble],
  });
  [browser, casement] = await Promise.all([
    openBrowser(),
    startCasement(['--config', config, '--trust-config']),
  ]);
});

afterEach(() => stage?.close());

afterAll(async () => {
  await closeContexts();
  await casement?.stop();
  folder.remove();
});

const show = async (server: string, tool?: string, tab = 'timeline'): Promise<Page> => {
  const url = new URL(casement.url);
  url.searchParams.set('tab', tab);
  const run = tool === undefined ? {} : { tool, args: {}, run: true };
  stage = await openStage(browser, url.href, { server, ...run });
  return stage.page;
};

const alerts = async (): Promise<string> => (await stage.page.getByRole('alert').allInnerTexts()).join(' ');
const status = async (): Promise<string> =>
  (await stage.page.getByRole('form', { name: 'Call' }).getByRole('status').innerText()).trim();
const result = () => stage.page.locator('[data-tool-text]').innerText();

/** The page still draws, and the good server can be used in the same tab. */
const nothingElseBroke = async (page: Page): Promise<void> => {
  const drawn = await page.evaluate(() => {
    const begin = performance.now();
    return new Promise<number>((resolve) => {
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin)));
    });
  });
  expect(drawn).toBeLessThan(2_000);
  await page.getByRole('combobox', { name: 'Server', exact: true }).selectOption('good');
  await stage.tool.selectOption('well-behaved');
  await stage.run();
  await stage.reaches('ready');
  await eventually(async () => (await stage.app()).locator('#result').textContent()).toContain(
    'text result of well-behaved',
  );
};

test('a server that dies in the middle of a call is named with its last words, and the others go on', async () => {
  const page = await show('crasher', 'crashes');
  await eventually(alerts).toContain('server-exited');
  await eventually(alerts).toMatch(/\b3\b/);
  await eventually(() => page.getByLabel('Last error output of the server').innerText()).toContain(
    'about to crash in the middle of a call',
  );
  // What the stage shows of a call is up to a tenth of a second old.
  await eventually(status).toMatch(/^Failed after/);
  await nothingElseBroke(page);
});

test('5,000 tools are listed, searched and called', async () => {
  const page = await show('many');
  await eventually(() => page.getByRole('listbox', { name: 'Servers' }).innerText()).toMatch(
    /many\s+5000 tools/,
  );
  const options = page.getByRole('listbox', { name: 'Tools' }).getByRole('option');
  expect(await options.count()).toBeLessThan(100);
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('tool-4321');
  await eventually(() => options.allInnerTexts()).toEqual(['tool-4321']);
  await options.first().click();
  await stage.run();
  await eventually(result).toContain('text result of tool-4321');
  await nothingElseBroke(page);
});

describe('text on stdout that is not JSON', () => {
  test('does not keep a server from working, and is named in the timeline', async () => {
    const page = await show('noisy', 'small');
    await eventually(result).toContain('text result of small');
    const timeline = page.getByRole('tabpanel');
    await eventually(() => timeline.innerText()).toMatch(/non-protocol output/);
    await nothingElseBroke(page);
  });

  test('from a program that is no MCP server makes it a failed one, with the reason', async () => {
    const page = await show('babbler');
    await eventually(alerts).toContain('server-exited');
    expect(await page.getByRole('button', { name: 'Restart server' }).isEnabled()).toBe(true);
    await nothingElseBroke(page);
  });
});

describe('a result of 12 MB', () => {
  test('is measured, shown from its beginning, and said to be too long', async () => {
    const page = await show('many', 'large-text');
    await eventually(status, 40_000).toMatch(/^Done in .* 12(\.0)? MB/);
    await eventually(alerts).toBe('');
    expect(await page.getByText('Too long to show').innerText()).toContain('the beginning of 12');
    expect((await result()).length).toBeLessThan(1_000_000);
    await nothingElseBroke(page);
  });

  test('reaches the app that asked for it', async () => {
    const page = await show('many', 'large-for-app');
    await stage.reaches('ready');
    const app = await stage.app();
    await eventually(() => app.locator('#length').textContent(), 40_000).toMatch(/^125829\d\d$/);
    await nothingElseBroke(page);
  });
});

describe('a broken mcp.json ends the command with one sentence that names file and place:', () => {
  const refuse = async (text: string): Promise<string> => {
    const path = join(folder.path, 'broken.json');
    writeFileSync(path, text);
    const { code, stdout, stderr } = await runCasement([
      '--json',
      '--no-open',
      '--port',
      '0',
      '--config',
      path,
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toMatch(/\n\s+at /);
    return stderr;
  };

  test('cut off', async () => {
    expect(await refuse('{ "mcpServers": { "a": { "command": "no')).toMatch(/broken\.json" is not JSON/);
  });

  test('a server without command or address', async () => {
    expect(await refuse('{ "mcpServers": { "weather": { "args": ["x"] } } }')).toMatch(/weather/);
  });

  test('a list where servers belong', async () => {
    expect(await refuse('{ "mcpServers": [1, 2] }')).toMatch(/broken\.json/);
  });

  test('nothing at all', async () => {
    expect(await refuse('')).toMatch(/broken\.json/);
  });
});
