import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startExample } from '../element/example-server.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { guestOf } from './support.js';

let browser: Browser;
let example: Awaited<ReturnType<typeof startExample>>;
let page: Page;

beforeAll(async () => {
  [browser, example] = await Promise.all([openBrowser(), startExample('examples/react-host')]);
  page = await browser.newPage();
});

afterAll(async () => {
  await closeContexts();
  await example?.close();
});

test('the example shows the weather app in its thread, and the app calls its server through it', async () => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // The example has no icon.
    const isIcon = message.location().url.endsWith('/favicon.ico');
    if (message.type() === 'error' && !isIcon) errors.push(message.text());
  });
  await page.goto(example.address);
  await page.getByLabel('City').fill('Kyoto');
  await page.getByRole('button', { name: 'Send' }).click();
  const guest = await guestOf(page);
  await guest.waitForSelector('#dashboard[data-state="shown"]', { timeout: 20_000 });
  expect(await guest.textContent('#place')).toContain('Kyoto');
  await eventually(() => guest.locator('#city option').count()).toBeGreaterThan(2);
  const observed = () => guest.textContent('#observed');
  const before = await observed();
  await guest.click('#refresh');
  await eventually(observed).not.toBe(before);
  expect(await page.locator('[role="group"]').getAttribute('data-app-status')).toBe('ready');
  expect(errors).toEqual([]);
});

test('an app writes in the chat after the person said yes, and what was sent before stays', async () => {
  page.once('dialog', (dialog) => void dialog.accept());
  const guest = await guestOf(page);
  const answer = await guest.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener('message', ({ data }) => {
          if (data.id === 'from the test') resolve(data.result ?? data.error);
        });
        const content = [{ type: 'text', text: 'And tomorrow?' }];
        const params = { role: 'user', content };
        parent.postMessage({ jsonrpc: '2.0', id: 'from the test', method: 'ui/message', params }, '*');
      }),
  );
  expect(answer).toEqual({});
  await eventually(() => page.locator('article > p').allTextContents()).toEqual([
    'Weather in Kyoto',
    'And tomorrow?',
  ]);
  expect(await guest.textContent('#place')).toContain('Kyoto');
});

test('the page of the example is under sixty lines', () => {
  const file = new URL('../../../examples/react-host/src/chat.jsx', import.meta.url);
  expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBeLessThan(60);
});
