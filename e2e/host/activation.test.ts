import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { page, useHostPage, world } from './fixture.js';
import { guestOf, modeOf, recorded, show } from './support.js';
import { toApp } from '../support/guest.js';

useHostPage();

const displayModes = ['inline', 'fullscreen', 'pip'];

/** Asks for a mode as it starts, and again at each click in it. */
const toCover = (mode: string): string =>
  toApp(`
    await bridge.initialize();
    const ask = () => bridge.request('ui/request-display-mode', { mode: '${mode}' });
    document.body.insertAdjacentHTML('beforeend', '<button>Larger</button>');
    document.querySelector('button').onclick = ask;
    await ask();
    bridge.notify('notifications/message', { level: 'info', data: 'asked' });
  `);

const asked = async (index = 0): Promise<boolean> =>
  JSON.stringify(await recorded(page, 'notification', index)).includes('asked');

test.each(['fullscreen', 'pip'])(
  'sec-W5 a click in the host does not let an app go %s; a click in the app does',
  async (mode) => {
    await page.evaluate(() => document.querySelector('main')?.append(document.createElement('button')));
    // The host's own button starts it, so the page itself has seen an action a moment ago.
    await page.locator('main button').click({ force: true });
    await page.click('#field');
    await page.keyboard.type('x');
    await show(page, { html: toCover(mode), base: world.base, options: { displayModes } });
    await eventually(asked).toBe(true);
    expect(await modeOf(page)).toBe('inline');
    expect(await recorded(page, 'decision')).toContainEqual(
      expect.objectContaining({ method: 'ui/request-display-mode', allow: false }),
    );
    await (await guestOf(page)).getByRole('button', { name: 'Larger' }).click();
    await eventually(() => modeOf(page)).toBe(mode);
  },
);

test('sec-W5 a click in one app does not let another go fullscreen', async () => {
  await show(page, { html: toApp('await bridge.initialize();'), base: world.base, server: 'other' });
  await (await guestOf(page)).locator('input').click();
  await show(page, { html: toCover('fullscreen'), base: world.base, options: { displayModes } });
  await eventually(() => asked(1)).toBe(true);
  expect(await modeOf(page, 1)).toBe('inline');
});

test('sec-W5 in fullscreen the server’s name is whole, however long the app’s own name is', async () => {
  const name = `Casement settings ${'and more '.repeat(20)}`;
  const options = { displayModes, name };
  await show(page, { html: toCover('fullscreen'), base: world.base, server: 'weather', options });
  await page.setViewportSize({ width: 420, height: 600 });
  await page.evaluate(() => window.hostApps[0]?.app.setDisplayMode('fullscreen'));
  await eventually(() => modeOf(page)).toBe('fullscreen');
  const from = page.getByText('App from weather');
  expect(await from.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
});
