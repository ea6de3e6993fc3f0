import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, openBrowser } from '../support/browser.js';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { startLazyAuth, type LazyAuth } from '../support/lazy-auth.js';
import { openInspector, type InspectorPage } from './support.js';

const folder = createTempFolder();
let browser: Browser;
let casement: RunningCasement;
let lazyAuth: LazyAuth;
let inspector: InspectorPage;

beforeAll(async () => {
  lazyAuth = await startLazyAuth();
  const config = writeConfig(folder.path, { lazy: { url: lazyAuth.url } });
  [browser, casement] = await Promise.all([
    openBrowser(),
    startCasement(['--config', config, '--trust-config']),
  ]);
  inspector = await openInspector(browser, casement.url, { server: 'lazy', tool: 'show_auth_button' });
});

afterAll(async () => {
  await closeContexts();
  await casement?.stop();
  await lazyAuth?.stop();
  folder.remove();
});

const failure = () => inspector.call.getByRole('alert').innerText();

test('a server that asks for a sign-in on one tool only shows the app of another', async () => {
  await inspector.runApp();
  const app = await inspector.stage.app();
  await eventually(() => app.locator('h3').innerText()).toBe('Public App');
});

const question = () => inspector.page.getByRole('dialog', { name: 'Sign in to lazy?' });

test('a call of the app that meets a 401 asks once, and a no reaches the app in words', async () => {
  const app = await inspector.stage.app();
  await app.getByRole('button', { name: 'Auth me' }).click();
  await question().waitFor();
  const text = await question().innerText();
  expect(text).toContain(new URL(lazyAuth.url).host);
  expect(text).toContain('read:secret');
  const cancel = question().getByRole('button', { name: 'Cancel' });
  expect(await cancel.evaluate((button) => button === document.activeElement)).toBe(true);
  await eventually(() => cancel.getAttribute('aria-disabled')).toBe('false');
  await cancel.press('Enter');
  await question().waitFor({ state: 'hidden' });
  await eventually(() => app.locator('#output').innerText()).toMatch(/401|sign|auth/i);
  expect(await inspector.stage.status()).toBe('ready');
});

test('the 401 of a call is named, with what to do, beside an app that is not blank', async () => {
  await inspector.choose('lazy', 'get_secret');
  await inspector.runApp();
  await eventually(failure).toContain('server-sign-in');
  const text = await failure();
  expect(text).toMatch(/lazy/);
  expect(text).toMatch(/sign in|credentials|Authorization/i);
  const app = await inspector.stage.app();
  expect(await app.locator('h3').innerText()).toBe('Protected App');
  expect(await inspector.outcome.innerText()).toMatch(/^Failed after/);
});

test('a user who signs in at the issuer sees what only they may see', async () => {
  await inspector.page
    .getByRole('region', { name: 'Sign-in' })
    .getByRole('button', { name: 'Sign in' })
    .click();
  await question().waitFor();
  await question().getByText('A client of your own').click();
  await question().getByLabel('Client ID').fill('https://example.com/casement.json');
  const yes = question().getByRole('button', { name: 'Sign in' });
  await eventually(() => yes.getAttribute('aria-disabled')).toBe('false');
  await yes.click();
  const opened = inspector.page.context().waitForEvent('page');
  await question()
    .getByRole('link', { name: /^Open 127\.0\.0\.1/ })
    .click();
  const page = await opened;
  await page.waitForLoadState();
  expect(await page.evaluate(() => window.opener === null)).toBe(true);
  if (!page.url().includes('/oauth/callback')) await page.getByRole('button').first().click();
  await eventually(() => page.locator('body').innerText()).toContain('You can close this tab');
  await page.close();
  await question().waitFor({ state: 'hidden' });
  await eventually(() => inspector.page.getByRole('list', { name: 'Accounts' }).innerText()).toContain(
    'in use',
  );
  await inspector.runApp();
  await eventually(() => inspector.outcome.innerText()).not.toMatch(/^Failed/);
});

test('a page that has to be visited first is offered, and the call works after it', async () => {
  await inspector.choose('lazy', 'elicit_by_error');
  await inspector.stage.run();
  await eventually(failure).toMatch(/This tool requires authentication/);
  expect(await failure()).toMatch(/finish there, then run the tool again/);
  const opened = inspector.page.context().waitForEvent('page');
  await inspector.call.getByRole('link', { name: /^Open 127\.0\.0\.1/ }).click();
  const page = await opened;
  await page.waitForLoadState();
  expect(await page.evaluate(() => window.opener === null)).toBe(true);
  for (const button of await page.getByRole('button').all()) await button.click();
  await page.waitForLoadState();
  await page.close();
  await inspector.stage.run();
  await eventually(() => inspector.page.getByLabel('Text result').innerText()).toContain(
    'Tool succeeded on retry',
  );
});
