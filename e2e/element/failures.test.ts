import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { startWorld, type World } from '../sandbox/support.js';
import { launchBrowser } from '../support/browser.js';
import { heard, openPage, quietApp, reaches, showHtml, toApp } from './support.js';

let browser: Browser;
let world: World;
let page: Page;

beforeAll(async () => {
  [browser, world] = await Promise.all([launchBrowser(), startWorld()]);
});

beforeEach(async () => {
  page = await openPage(browser, world.hostOrigin);
});

afterEach(() => page.close());

afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const showUnreadable = (fallbackText?: string) =>
  page.evaluate(
    ([base, text]) => {
      const app = document.createElement('mcp-app');
      window.app = app;
      app.sandbox = { base };
      app.resourceUri = 'ui://missing/app';
      app.fallbackText = text;
      app.on_resources_read = () => Promise.reject(new Error('no such file'));
      document.body.append(app);
    },
    [world.base, fallbackText] as const,
  );

const alert = () => page.locator('mcp-app [role="alert"]');

verifies(
  ['S5-08', 'S5-81'],
  'a read that fails shows an inline error, after the fallback text if there is one',
  async () => {
    await showUnreadable();
    await reaches(page, 'failed');
    expect(await alert().locator('p').allTextContents()).toEqual([
      expect.stringContaining('The server could not read ui://missing/app: no such file'),
    ]);
    expect(await heard(page, 'failure')).toEqual([
      expect.objectContaining({ step: 'resource', code: 'resource-missing' }),
    ]);
    await page.evaluate(() => window.app.remove());
    await showUnreadable('Lisbon: 24 °C, sunny.');
    await reaches(page, 'failed');
    expect((await alert().locator('p').allTextContents())[0]).toBe('Lisbon: 24 °C, sunny.');
    expect(await page.evaluate(() => window.app.dataset.appFailure)).toBe('resource-missing');
  },
);

verifies(
  ['S5-81', 'S5-82'],
  'an app that does not say initialized in the time set becomes an inline error; thirty seconds unless set',
  async () => {
    const half = toApp('await bridge.initialize({ announce: false });');
    await showHtml(
      page,
      half,
      { 'sandbox-base': world.base, 'fallback-text': 'Text only.' },
      { handshakeMs: 700 },
    );
    await reaches(page, 'failed');
    expect(await alert().getAttribute('data-app-error')).toBe('initialized-missing');
    expect(await alert().textContent()).toContain('within 700 ms');
    expect(await alert().textContent()).toContain('Text only.');
    await page.evaluate(() => window.app.remove());
    // The clock of the page is wound forward instead of waiting.
    await page.clock.install();
    await showHtml(page, half, { 'sandbox-base': world.base });
    await reaches(page, 'handshake');
    await page.waitForFunction(() => window.app.getSnapshot()?.appInfo !== undefined, undefined, {
      polling: 100,
    });
    await page.clock.runFor(28_000);
    expect(await page.evaluate(() => window.app.dataset.appStatus)).toBe('handshake');
    await page.clock.runFor(3_000);
    await reaches(page, 'failed');
    expect(await alert().textContent()).toContain('within 30 s');
  },
);

test('a page that prevents the failure event shows its own error, and a reload takes an error away', async () => {
  await page.evaluate(() =>
    document.addEventListener('mcp-app-failure', (event) => event.preventDefault(), { once: true }),
  );
  await showUnreadable();
  await reaches(page, 'failed');
  expect(await alert().count()).toBe(0);
  await page.evaluate(() => window.app.reload());
  await alert().waitFor();
  await page.evaluate((html) => {
    window.app.on_resources_read = ({ uri }) => ({
      contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: html }],
    });
    window.app.reload();
  }, quietApp);
  await reaches(page, 'ready');
  expect(await alert().count()).toBe(0);
});

verifies(['S5-79'], 'the frame is called by the label, else by the title', async () => {
  const name = () => page.locator('mcp-app iframe').getAttribute('title');
  await showHtml(page, quietApp, {
    'sandbox-base': world.base,
    title: 'Weather',
    'aria-label': 'Weather in Lisbon',
  });
  await reaches(page, 'ready');
  expect(await name()).toBe('Weather in Lisbon');
  await page.evaluate(() => window.app.removeAttribute('aria-label'));
  expect(await name()).toBe('Weather');
});
