import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFaultsInBothSchemes } from '../support/axe.js';
import { closeContexts, openBrowser } from '../support/browser.js';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { openInspector } from './support.js';

const folder = createTempFolder();
let browser: Browser;
let casement: RunningCasement;

beforeAll(async () => {
  const config = join(folder.path, 'mcp.json');
  const inputs = [{ id: 'key', type: 'promptString', description: 'The key', password: true }];
  const asking = {
    command: 'node',
    args: ['server.js', 'x'.repeat(2_000)],
    env: { KEY: '${input:key}', PATH: '/usr/bin', A: '${env:HOME}' },
  };
  const remote = { url: 'https://mcp.example/', headers: { Authorization: 'Bearer ${env:TOKEN}' } };
  writeFileSync(config, JSON.stringify({ inputs, servers: { asking, remote } }));
  const env = { XDG_CONFIG_HOME: join(folder.path, 'config'), XDG_STATE_HOME: join(folder.path, 'state') };
  [browser, casement] = await Promise.all([openBrowser(), startCasement(['--config', config], { env })]);
});
afterAll(async () => {
  await closeContexts();
  await casement?.stop();
  folder.remove();
});

/** Each look begins with other colours, so that the page is opened in both. */
const looks = [
  { scheme: 'light', width: 1440, height: 900 },
  { scheme: 'dark', width: 390, height: 844 },
] as const;

test.each(looks)(
  'in light and in dark colours at $width px nothing serious is found in what is asked about servers',
  async (look) => {
    const inspector = await openInspector(browser, casement.url, {}, look);
    const { page } = inspector;
    const dialog = (name: string): Locator => page.getByRole('dialog', { name });
    const expectNoFaults = async () => {
      const faults = await readFaultsInBothSchemes(page, {
        onScheme: (scheme) => eventually(() => page.locator('html').getAttribute('data-theme')).toBe(scheme),
      });
      expect(faults).toEqual([]);
      // Nothing is wider than the window.
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    };
    const close = async (name: string): Promise<void> => {
      await page.keyboard.press('Escape');
      await dialog(name).waitFor({ state: 'detached' });
    };
    if (look.width < 720) await inspector.button('Tools').click();
    await inspector.button('Look and decide').waitFor();
    await expectNoFaults();

    await inspector.button('Look and decide').click();
    await dialog('Run this command?').getByLabel('The key (key)').waitFor();
    // What is not armed yet is pale on purpose.
    await dialog('Run this command?')
      .locator('button[aria-disabled="false"]', { hasText: 'Cancel' })
      .waitFor();
    await expectNoFaults();
    await close('Run this command?');

    await inspector.choose('remote');
    await inspector.button('Look and decide').click();
    await dialog('Connect to this address?').locator('button.primary[aria-disabled="false"]').waitFor();
    await expectNoFaults();
    await close('Connect to this address?');

    await inspector.button('Add a server').click();
    const add = dialog('Add a server');
    await add.getByRole('textbox', { name: 'Command' }).fill('A=1 node "my server.js" && $HOME');
    await add.getByRole('button', { name: 'Add a variable' }).click();
    await expectNoFaults();
    await add.getByRole('button', { name: 'Address' }).click();
    await add.getByRole('button', { name: 'Continue' }).click();
    await add.getByText('Type the address of the server').waitFor();
    await expectNoFaults();
    await add.getByRole('button', { name: 'mcp.json' }).click();
    await add.getByRole('textbox').fill('{"mcpServers":{"a":{"command":"node"},"b":{}}}');
    await add.getByRole('checkbox', { name: 'a' }).waitFor();
    await add.getByRole('list', { name: 'Problems of the text' }).waitFor();
    await expectNoFaults();
    await close('Add a server');

    await inspector.button('Stored data').click();
    await dialog('What is stored').getByText('casement.tab-key').waitFor();
    await expectNoFaults();
    await inspector.close();
  },
);
