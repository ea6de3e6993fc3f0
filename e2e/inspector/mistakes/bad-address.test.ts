import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { openStage, type Stage } from '../../support/stage.js';
import { expectTold, lastClick, startReading } from '../../support/told.js';
import { browser, casement, useCasement } from '../../support/use-casement.js';

const server = join(import.meta.dirname, 'mistakes-server.mjs');

useCasement(['--', process.execPath, server]);

const plainFix =
  'Write the address of a resource that the server registers, for example "ui://my-server/app.html".';

/** Runs a tool on a page that remembers what is to be read on it, and when. */
const open = async (tool: string): Promise<Stage> => {
  const stage = await openStage(browser, casement.url, { tool, args: {} });
  await stage.page.getByRole('button', { name: 'Run', exact: true }).waitFor();
  await startReading(stage.page);
  await stage.run();
  return stage;
};

/** What the failure card says under a heading. */
const part = ({ page }: Stage, name: string): Promise<string> =>
  page
    .locator('.stage-area [role=alert] dl > div')
    .filter({ has: page.locator('dt', { hasText: name }) })
    .locator('dd')
    .innerText();

describe('a tool that names its app by an address no host reads', () => {
  test.each([
    [
      'address-of-the-web',
      'it does not start with ui://: "https://apps.example.com/app.html"',
      'A page is not read from such an address. Register its HTML as a resource of the server, for example under "ui://my-server/app.html", and write that address.',
    ],
    [
      'address-without-a-slash',
      'it does not start with ui://: "ui:/mistakes/app.html"',
      'Write "ui://mistakes/app.html", and register the resource under the same address.',
    ],
    ['address-as-a-number', 'it is not a string: 42', plainFix],
    ['address-empty', 'it is empty: ""', plainFix],
    [
      'address-with-controls',
      'it contains spaces, control characters or backslashes: "ui://a\\u{7}\\u{1b}[2Jb"',
      plainFix,
    ],
    [
      'address-turned-around',
      'it contains spaces, control characters or backslashes: "ui://a\\u{202e}lmth.ppa"',
      plainFix,
    ],
    [
      'address-of-a-megabyte',
      `it is longer than 2048 characters: "ui://${'x'.repeat(195)}… (999805 more characters)"`,
      plainFix,
    ],
    [
      'address-with-markup',
      'it does not start with ui://: "<img src=x onerror="document.title=\'hacked\'">"',
      plainFix,
    ],
  ])('%s fails with the value and the fix, and is recorded', async (tool, cause, fix) => {
    const stage = await open(tool);
    await stage.reaches('failed');
    expect(await stage.failure()).toBe('resource-uri');
    await expectTold(stage.page, 'stage', [cause, fix], lastClick);
    await eventually(() => part(stage, 'Seen')).toBe(`_meta.ui.resourceUri is refused because ${cause}`);
    expect(await part(stage, 'Likely cause')).toBe(
      'The tool names its app by an address that is not one of a UI resource, so the server was not asked for it.',
    );
    expect(await part(stage, 'Fix')).toBe(fix);
    const row = stage.page.getByRole('option', { name: tool });
    expect(await row.locator('.badge').innerText()).toBe('MCP App, broken');
    expect(await stage.page.locator('.stage-area').innerText()).not.toContain('has no app');
    // The call itself went on: its result stands where the app would be.
    await eventually(() => stage.page.locator('[data-tool-text]').innerText()).toBe(`text result of ${tool}`);
    expect(await stage.page.title()).not.toContain('hacked');
    const raws = (await stage.recording()).map(({ raw }) => JSON.stringify(raw));
    expect(raws.filter((raw) => raw.includes('"code":"resource-uri"'))).toHaveLength(1);
    const reads = raws.filter((raw) => raw.includes('"resources/read"') && !raw.includes('ui://mistakes/'));
    expect(reads).toEqual([]);
    await stage.close();
  });

  test('leaves tools with a good address and without any as they were', async () => {
    const stage = await open('delete-everything');
    await eventually(() => stage.page.locator('[data-tool-text]').innerText()).toContain('delete-everything');
    expect(await stage.status()).toBe('idle');
    expect(await stage.page.getByText('This tool has no app: this is its result.').isVisible()).toBe(true);
    const row = stage.page.getByRole('option', { name: 'wrong-mime' });
    expect(await row.locator('.badge').innerText()).toBe('MCP App');
    await stage.close();
  });
});
