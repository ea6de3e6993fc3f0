import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { startExample } from './example-server.js';
import { guestOf } from './support.js';

let browser: Browser;
let example: Awaited<ReturnType<typeof startExample>>;
let address: string;
let page: Page;

beforeAll(async () => {
  [browser, example] = await Promise.all([openBrowser(), startExample('examples/element-host')]);
  address = example.address;
});

afterAll(async () => {
  await closeContexts();
  await example?.close();
});

const askFor = async (city: string, query = ''): Promise<void> => {
  page = await browser.newPage();
  await page.goto(`${address}/${query}`);
  await page.getByLabel('City').fill(city);
  await page.getByRole('button', { name: 'Send' }).click();
  await (await guestOf(page)).waitForSelector('#dashboard[data-state="shown"]', { timeout: 20_000 });
};

verifies(
  ['S5-01', 'S5-02', 'S5-04'],
  'the example shows the weather app in its thread, and the app calls its server through it',
  async () => {
    await askFor('Kyoto');
    const guest = await guestOf(page);
    expect(await guest.textContent('#place')).toContain('Kyoto');
    await eventually(() => guest.locator('#city option').count()).toBeGreaterThan(2);
    const observed = () => guest.textContent('#observed');
    const before = await observed();
    await guest.click('#refresh');
    await eventually(observed).not.toBe(before);
    expect(await page.locator('mcp-app').getAttribute('data-app-status')).toBe('ready');
  },
);

const send = async (method: string, params: object): Promise<unknown> =>
  (await guestOf(page)).evaluate(
    ([name, given]) =>
      new Promise((resolve) => {
        const id = `test-${Math.random()}`;
        addEventListener('message', ({ data }) => {
          if (data.id === id) resolve(data.result ?? data.error);
        });
        parent.postMessage({ jsonrpc: '2.0', id, method: name, params: given }, '*');
      }),
    [method, params] as const,
  );

verifies(['S5-61', 'S5-63'], 'its policy: known hosts open, others and messages ask the person', async () => {
  const questions: string[] = [];
  const answers = [true, false, true];
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void (answers.shift() ? dialog.accept() : dialog.dismiss());
  });
  const opened: string[] = [];
  page.context().on('page', (other) => opened.push(other.url()));
  const guest = await guestOf(page);
  const link = async (url: string) => {
    // Browsers open pages only for someone who is there.
    await guest.click('#observed');
    return send('ui/open-link', { url });
  };
  expect(await link('https://en.wikipedia.org/wiki/Kyoto')).toEqual({});
  expect(questions).toEqual([]);
  expect(await link('https://weather.example/kyoto')).toEqual({});
  await eventually(() => opened.length).toBe(2);
  expect(await link('https://weather.example/other')).toEqual({ isError: true });
  expect(questions).toHaveLength(2);
  expect(questions[0]).toContain('weather.example');
  const content = [{ type: 'text', text: 'And tomorrow?' }];
  expect(await send('ui/message', { role: 'user', content })).toEqual({});
  expect(await page.locator('#thread > p').allTextContents()).toContain('And tomorrow?');
  expect(opened).toHaveLength(2);
});

verifies(['S5-05'], 'with ?static the same app runs behind the static proxy file', async () => {
  await page.close();
  await askFor('Nairobi', '?static');
  expect(await (await guestOf(page)).textContent('#place')).toContain('Nairobi');
  expect(await page.evaluate(() => document.querySelector('mcp-app')?.getSnapshot()?.fallback?.kind)).toBe(
    'static',
  );
});

test('its bridge answers its own page and nobody else', async () => {
  const statusFor = (origin: string) =>
    fetch(`${address.replace('chat.localhost', '127.0.0.1')}/mcp`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: '{"method":"tools/list"}',
    }).then(({ status }) => status);
  expect(await statusFor('http://evil.example')).toBe(403);
  expect(await statusFor(address)).toBe(403);
});

test('the page of the example is under sixty lines', () => {
  const file = new URL('../../../examples/element-host/src/chat.mjs', import.meta.url);
  expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBeLessThan(60);
});
