import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { heard, reaches, showHtml, useElementPage } from './support.js';
import { quietApp, toApp } from '../../support/guest.js';
import { installClock } from '../../support/tab.js';

const host = useElementPage();

const showUnreadable = (fallbackText?: string) =>
  host.page.evaluate(
    ([base, text]) => {
      const app = document.createElement('mcp-app');
      window.app = app;
      app.sandbox = { base };
      app.resourceUri = 'ui://missing/app';
      app.fallbackText = text;
      app.on_resources_read = () => Promise.reject(new Error('no such file'));
      document.body.append(app);
    },
    [host.world.base, fallbackText] as const,
  );

const alert = () => host.page.locator('mcp-app [data-app-error]');

verifies(
  ['S5-08', 'S5-81'],
  'a read that fails shows an inline error, after the fallback text if there is one',
  async () => {
    await showUnreadable();
    await reaches(host.page, 'failed');
    expect(await alert().locator('p').allTextContents()).toEqual([
      'This app cannot be shown. Try again later.',
    ]);
    expect(await heard(host.page, 'failure')).toEqual([
      expect.objectContaining({
        step: 'resource',
        code: 'resource-missing',
        message: 'The server "server" could not answer resources/read.',
      }),
    ]);
    await host.page.evaluate(() => window.app.remove());
    await showUnreadable('Lisbon: 24 °C, sunny.');
    await reaches(host.page, 'failed');
    expect((await alert().locator('p').allTextContents())[0]).toBe('Lisbon: 24 °C, sunny.');
    expect(await host.page.evaluate(() => window.app.dataset.appFailure)).toBe('resource-missing');
  },
);

verifies(
  ['S5-81', 'S5-82'],
  'an app that does not say initialized in the time set becomes an inline error; thirty seconds unless set',
  async () => {
    const half = toApp('await bridge.initialize({ announce: false });');
    await showHtml(
      host.page,
      half,
      { 'sandbox-base': host.world.base, 'fallback-text': 'Text only.' },
      { handshakeMs: 4_000 },
    );
    await reaches(host.page, 'failed');
    expect(await alert().getAttribute('data-app-error')).toBe('initialized-missing');
    const message = () => host.page.evaluate(() => window.app.getSnapshot()?.failure?.message);
    expect(await message()).toContain('within 4 s');
    expect(await alert().textContent()).toContain('Text only.');
    await host.page.evaluate(() => window.app.remove());
    // The clock of the page is wound forward instead of waiting.
    await installClock(host.page);
    await showHtml(host.page, half, { 'sandbox-base': host.world.base });
    await reaches(host.page, 'handshake');
    await host.page.waitForFunction(() => window.app.getSnapshot()?.appInfo !== undefined, undefined, {
      polling: 100,
    });
    await host.page.clock.runFor(28_000);
    expect(await host.page.evaluate(() => window.app.dataset.appStatus)).toBe('handshake');
    await host.page.clock.runFor(3_000);
    await reaches(host.page, 'failed');
    expect(await message()).toContain('within 30 s');
  },
);

test('a page that prevents the failure event shows its own error, and a reload takes an error away', async () => {
  await host.page.evaluate(() =>
    document.addEventListener('mcp-app-failure', (event) => event.preventDefault(), { once: true }),
  );
  await showUnreadable();
  await reaches(host.page, 'failed');
  expect(await alert().count()).toBe(0);
  await host.page.evaluate(() => window.app.reload());
  await alert().waitFor();
  await host.page.evaluate((html) => {
    window.app.on_resources_read = ({ uri }) => ({
      contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: html }],
    });
    window.app.reload();
  }, quietApp);
  await reaches(host.page, 'ready');
  expect(await alert().count()).toBe(0);
});

verifies(['S5-79'], 'the frame is called by the label, else by the title', async () => {
  const name = () => host.page.locator('mcp-app iframe').getAttribute('title');
  await showHtml(host.page, quietApp, {
    'sandbox-base': host.world.base,
    title: 'Weather',
    'aria-label': 'Weather in Lisbon',
  });
  await reaches(host.page, 'ready');
  expect(await name()).toBe('Weather in Lisbon');
  await host.page.evaluate(() => window.app.removeAttribute('aria-label'));
  expect(await name()).toBe('Weather');
});
