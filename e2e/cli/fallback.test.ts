import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { closeContexts, openBrowser } from '../support/browser.js';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { eventually } from '../support/eventually.js';
import { toStage, type Stage } from '../support/stage.js';

let browser: Browser;
let casement: RunningCasement;
let stage: Stage;

beforeAll(async () => {
  [browser, casement] = await Promise.all([openBrowser({ subdomains: false }), startCasement()]);
  const page = await browser.newPage();
  await page.goto(casement.url);
  stage = toStage(page);
  await stage.reaches('ready');
});

afterAll(async () => {
  await closeContexts();
  await casement?.stop();
});

test('where names below localhost do not resolve, the example still renders and works', async () => {
  expect(new URL(stage.page.url()).hostname).toBe('localhost');
  const app = await stage.app();
  await app.waitForSelector('#dashboard[data-state="shown"]');
  const observed = () => app.locator('#observed').textContent();
  const before = await observed();
  await app.locator('#refresh').click();
  await eventually(observed).not.toBe(before);
  expect(await observed()).toContain('reading');
});

test('the state says that the app runs in the opaque fallback, and why', async () => {
  const { fallback, address } = (await stage.snapshot()) ?? {};
  expect(fallback?.kind).toBe('opaque');
  expect(fallback?.reason).toMatch(/casement\.localhost/);
  expect(address?.appOrigin).toBe('null');
  expect(await stage.page.locator('[data-fallback-reason]').textContent()).toContain(fallback?.reason);
});

verifies(['S1-78', 'S4-16', 'S4-29'], 'the app has an opaque origin and no storage', async () => {
  const app = await stage.app();
  const origin = await app.evaluate(() => self.origin);
  expect(origin).toBe('null');
  const storage = await app.evaluate(() => {
    try {
      return String(localStorage.length);
    } catch (error) {
      return error instanceof DOMException ? error.name : 'other';
    }
  });
  expect(storage).toBe('SecurityError');
});
