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
  [browser, casement] = await Promise.all([openBrowser(), startCasement(['--config', config])]);
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

test('the 401 of a call by the app reaches the app in words', async () => {
  const app = await inspector.stage.app();
  await app.getByRole('button', { name: 'Auth me' }).click();
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
