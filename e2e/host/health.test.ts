import { describe, expect } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { waitUntil } from '../support/eventually.js';
import { openOwnPage, useHostServers, world } from './fixture.js';
import { guestOf, reaches, show } from './support.js';
import { quietApp, toApp } from '../support/guest.js';

useHostServers();

// Silence takes seconds to be sure of: the tests wait for it side by side.
describe.concurrent('an app of which nothing is heard', () => {
  verifies(
    ['HOST-039'],
    'an app that does not respond (T13, A45) can be stopped by keyboard, the page stays awake, and Reload brings it back',
    async () => {
      const page = await openOwnPage();
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      const html = toApp(
        `await bridge.initialize(); globalThis.hang = () => setTimeout(() => { for (;;); });`,
      );
      await show(page, { html, base: world.base });
      await (await guestOf(page)).evaluate(() => (globalThis as unknown as { hang(): void }).hang());
      const row = page.getByText('This app is not responding.');
      await row.waitFor({ timeout: 25_000 });
      expect(await page.evaluate(() => window.hostApps[0]?.app.getSnapshot().failure?.code)).toBe(
        'app-not-responding',
      );
      expect(await page.evaluate(() => 1 + 1)).toBe(2);
      await button('Stop').press('Enter');
      await reaches(page, 'failed');
      expect(await page.evaluate(() => window.hostApps[0]?.app.getSnapshot().failure?.code)).toBe(
        'app-stopped',
      );
      expect(await row.count()).toBe(0);
      expect(await page.locator('iframe').count()).toBe(0);
      await page.getByRole('alert').getByText('This app cannot be shown.').waitFor();
      await button('Reload').press('Enter');
      await reaches(page, 'ready');
      expect(await page.getByText('This app cannot be shown.').count()).toBe(0);
    },
    60_000,
  );

  verifies(
    ['HOST-039'],
    'an app whose process crashed (A45) is said to have, its siblings go on, and Reload brings it back',
    async () => {
      const page = await openOwnPage();
      await show(page, { html: quietApp, base: world.base });
      await show(page, { html: quietApp, base: world.base, server: 'other' });
      // Playwright gives up a page with a crashed frame, so the rest goes through a session of its own.
      const host = await page.context().newCDPSession(page);
      const guest = await page.context().newCDPSession(await guestOf(page));
      guest.send('Page.crash').catch(() => undefined);
      const run = async (expression: string): Promise<unknown> =>
        (await host.send('Runtime.evaluate', { expression, returnByValue: true })).result.value;
      const states = `JSON.stringify(hostApps.map(({ app }) => app.getSnapshot()).map(({ status, failure }) => [status, failure?.code]))`;
      const becomes = (wanted: string) =>
        waitUntil(
          () => run(states),
          (now) => now === wanted,
          { what: wanted, timeout: 40_000 },
        );
      await becomes('[["failed","app-crashed"],["ready",null]]');
      const row = `document.querySelector('[data-mode]').shadowRoot.querySelector('.bad')`;
      expect(await run(`${row}.textContent`)).toMatch(/^This app cannot be shown\..*Reload$/);
      await run(`${row}.querySelector('button').click()`);
      await becomes('[["ready",null],["ready",null]]');
    },
    60_000,
  );
});
