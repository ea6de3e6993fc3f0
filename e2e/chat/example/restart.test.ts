import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readFaults } from '../../support/axe.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { guestServer, openChat, startChatHost, type ChatPage, type RunningExample } from './support.js';

let browser: Browser;
let example: RunningExample;
let chat: ChatPage;

beforeAll(async () => {
  [browser, example] = await Promise.all([
    openBrowser(),
    startChatHost({ servers: { boards: guestServer('boards'), others: guestServer('others') } }),
  ]);
});
afterEach(() => chat?.close());
afterAll(async () => {
  await closeContexts();
  await example?.close();
});

const problems = (): Locator => chat.page.locator('.casement-problems li');
const restartIn = (place: Locator): Locator => place.getByRole('button', { name: 'Restart boards' });
const loss = (): Locator => chat.page.locator('.casement-app-loss');
const said = (): Promise<string> => chat.page.locator('.casement-unseen[role="status"]').innerText();
const toolCount = (): Promise<string | null> => chat.button(/\d+ tools$/).textContent();
/** The first app; what the call that ends the server would have shown is another. */
const board = (): Locator => chat.page.locator('[data-mcp-app-id]').first();
const isReady = (): Promise<void> => board().locator('[data-app-status="ready"]').waitFor();

/** Shows an app of the server and then ends the server's process in the middle of a call. */
const loseServer = async (): Promise<{ before: string | null }> => {
  chat = await openChat(browser, example);
  await chat.send('/boards__board {}');
  await isReady();
  await eventually(async () => (await chat.guest()).locator('#result').textContent()).toContain('content');
  const before = await toolCount();
  await (await chat.guest()).locator('#count').click();
  await chat.send('/boards__crashes {}');
  await eventually(() => problems().count()).toBe(1);
  return { before };
};

test('a server whose process ended is started again from the chat: its tools are back, its app can be reloaded', async () => {
  const { before } = await loseServer();
  const card = chat.cards.last();
  await eventually(() => card.getAttribute('data-code')).toBe('server-exited');
  await restartIn(card).waitFor();
  await eventually(() => loss().textContent()).toContain('boards is gone. The app goes on without it.');
  await restartIn(loss()).waitFor();
  expect(await toolCount()).not.toBe(before);
  expect(await readFaults(chat.page)).toEqual([]);

  await restartIn(problems()).focus();
  await chat.page.keyboard.press('Enter');
  await eventually(() => problems().count()).toBe(0);
  await eventually(said).toContain('boards runs again.');
  // What is back is not offered to be restarted anywhere, and who pressed is not lost.
  expect(await chat.button('Restart boards').count()).toBe(0);
  expect(await chat.page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  await eventually(toolCount).toBe(before);

  // The app went on: it is the user who starts it over.
  expect(await (await chat.guest()).locator('#count').textContent()).toBe('1');
  await eventually(() => loss().textContent()).toContain('boards runs again.');
  expect(await readFaults(chat.page)).toEqual([]);
  await loss().getByRole('button', { name: 'Reload' }).click();
  await eventually(() => loss().count()).toBe(0);
  await eventually(async () => (await chat.guest()).locator('#count').textContent()).toBe('0');
  await chat.send('/boards__both {"n": 1}');
  await eventually(() => chat.cards.last().getAttribute('data-state')).toBe('output-available');
  expect(chat.errors).toEqual([]);
});

test('an app that failed because its server is gone comes back with it', async () => {
  await loseServer();
  await loss().waitFor();
  // In the head the host draws around an app; the document cannot be read now.
  await board().getByRole('button', { name: 'Reload', exact: true }).click();
  const failed = board().locator('[data-app-error="server-lost"]');
  await failed.waitFor();
  await chat.page.setViewportSize({ width: 390, height: 800 });
  expect(await readFaults(chat.page)).toEqual([]);
  await restartIn(failed).click();
  await isReady();
  await eventually(async () => (await chat.guest()).locator('h1').textContent()).toBe('Board');
  expect(await problems().count()).toBe(0);
  expect(await failed.count()).toBe(0);
});
