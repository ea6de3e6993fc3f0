import { readFileSync } from 'node:fs';
import type { Browser, Frame, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import type { ChatPage, RunningExample } from './support.js';
import { openChat, openDemo, startChatHost } from './support.js';

let browser: Browser;
let example: RunningExample;
let chat: ChatPage;

beforeAll(async () => {
  [browser, example] = await Promise.all([openBrowser(), startChatHost()]);
});

afterAll(async () => {
  await closeContexts();
  await example?.close();
});

afterEach(async () => {
  expect(chat.errors).toEqual([]);
  await chat.close();
});

const item = (mode: string): Locator => chat.page.locator(`[data-mcp-app-id="counter-${mode}"]`);

const frameCount = (): number =>
  chat.page.frames().filter((frame) => frame.parentFrame()?.parentFrame()).length;

/** What the app itself was told: its mode and theme. */
const told = (guest: Frame): Promise<string | null> => guest.textContent('#mode');

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox();
  if (!box) throw new Error('it is not shown');
  return box;
};

describe('the demo: one mock app as three items the page wrote itself', () => {
  verifies(['S5-83', 'S5-84', 'S5-88', 'S5-97'], 'inline it is in its message at once', async () => {
    chat = await openDemo(browser, example);
    const guest = await chat.guest();
    await eventually(() => told(guest)).toBe('inline, light');
    expect(await item('inline').getAttribute('data-shown')).toBe('inline');
    await item('inline').getByText('Counter (inline)').waitFor();
    // The others are tiles until somebody opens them.
    expect(await item('fullscreen').getAttribute('data-shown')).toBe('tile');
    expect(await item('pip').getAttribute('data-shown')).toBe('tile');
    expect(frameCount()).toBe(1);
    expect(await chat.cards.count()).toBe(0);
  });

  verifies(
    ['S5-85', 'S5-97'],
    'fullscreen its tile opens the panel; closed, the app waits with its state until it is opened again',
    async () => {
      chat = await openDemo(browser, example);
      await chat.button('Open Counter (fullscreen)').click();
      const guest = await chat.guest(1);
      await eventually(() => told(guest)).toBe('fullscreen, light');
      await eventually(() => item('fullscreen').textContent()).toContain('Viewing');
      const { width } = await boxOf(item('fullscreen').locator('iframe'));
      expect(width).toBeGreaterThan(1000);
      await guest.click('#add');
      await guest.fill('#note', 'kept');
      await item('fullscreen').getByRole('button', { name: 'Close', exact: true }).focus();
      await chat.page.keyboard.press('Escape');
      await eventually(() => item('fullscreen').getAttribute('data-shown')).toBe('tile');
      await chat.button('Open Counter (fullscreen)').click();
      await eventually(() => item('fullscreen').getAttribute('data-shown')).toBe('fullscreen');
      expect(guest.isDetached()).toBe(false);
      expect(await guest.textContent('#count')).toBe('1');
      expect(await guest.inputValue('#note')).toBe('kept');
    },
  );

  verifies(
    ['S5-86', 'S5-97'],
    'pip its tile opens the workspace beside the thread, which stays in use',
    async () => {
      chat = await openDemo(browser, example);
      await chat.button('Open Counter (pip)').click();
      const guest = await chat.guest(1);
      await eventually(() => told(guest)).toBe('pip, light');
      await eventually(() => item('pip').textContent()).toContain('Viewing');
      const app = await boxOf(item('pip').locator('iframe'));
      const field = await boxOf(chat.page.getByRole('textbox', { name: 'Message' }));
      expect(app.x).toBeGreaterThanOrEqual(field.x + field.width);
      await guest.click('#add');
      await chat.send('/weather_dashboard {"city": "Kyoto"}');
      await eventually(() => chat.messages.last().textContent()).toContain('Kyoto');
      expect(await guest.textContent('#count')).toBe('1');
    },
  );

  verifies(
    ['S5-27'],
    'on a small screen the workspace covers the thread and leaves the composer',
    async () => {
      chat = await openDemo(browser, example, { viewport: { width: 390, height: 800 } });
      await chat.button('Open Counter (pip)').click();
      const guest = await chat.guest(1);
      await eventually(() => told(guest)).toBe('pip, light');
      const app = await boxOf(item('pip').locator('iframe'));
      const field = await boxOf(chat.page.getByRole('textbox', { name: 'Message' }));
      expect(app.width).toBeGreaterThan(300);
      expect(app.y + app.height).toBeLessThanOrEqual(field.y);
      await chat.send('Still here');
      await eventually(() => chat.page.locator('li[data-role="user"]').count()).toBe(1);
    },
  );

  verifies(
    ['S5-89', 'S5-90'],
    'every item has its context, and theme and size change it without a new frame',
    async () => {
      chat = await openDemo(browser, example);
      await chat.button('Open Counter (pip)').click();
      const [inline, pip] = [await chat.guest(0), await chat.guest(1)];
      await eventually(() => told(pip)).toBe('pip, light');
      await inline.click('#add');
      await chat.page.emulateMedia({ colorScheme: 'dark' });
      await eventually(() => told(inline)).toBe('inline, dark');
      await eventually(() => told(pip)).toBe('pip, dark');
      const widthBefore = await inline.evaluate(() => innerWidth);
      await chat.page.setViewportSize({ width: 900, height: 700 });
      await eventually(() => inline.evaluate(() => innerWidth)).toBeLessThan(widthBefore);
      expect(inline.isDetached() || pip.isDetached()).toBe(false);
      expect(await inline.textContent('#count')).toBe('1');
      expect(frameCount()).toBe(2);
    },
  );

  verifies('S5-97', 'the same three as <mcp-app>, without React', async () => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: 'light',
    });
    const page = await context.newPage();
    const { address } = example;
    chat = { ...chat, page, errors: [], close: () => context.close() };
    await page.goto(address.replace('/#', '/element.html#'));
    const guests = (): Frame[] => page.frames().filter((frame) => frame.parentFrame()?.parentFrame());
    await eventually(() => guests().length).toBe(3);
    for (const guest of guests()) await eventually(() => told(guest)).toBe('inline, light');
    const guestOf = async (index: number): Promise<Frame> => {
      const outer = await page.locator('mcp-app iframe').nth(index).elementHandle();
      const proxy = await outer?.contentFrame();
      const inner = proxy?.childFrames()[0];
      if (!inner) throw new Error(`The app ${index} has no frame.`);
      return inner;
    };
    for (const [index, mode] of [
      [1, 'fullscreen'],
      [2, 'pip'],
    ] as const) {
      const guest = await guestOf(index);
      await guest.click('#add');
      await page.getByRole('button', { name: `Open Counter (${mode})` }).click();
      await eventually(() => told(guest)).toBe(`${mode}, light`);
      expect(await guest.textContent('#count')).toBe('1');
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await eventually(() => told(guest)).toBe('inline, light');
      expect(guest.isDetached()).toBe(false);
    }
  });
});

describe('without a key', () => {
  test('the scripted model answers, and the app of its call is in the thread', async () => {
    chat = await openChat(browser, example);
    await chat.send('call weather_dashboard with city=Lisbon');
    const guest = await chat.guest();
    await guest.waitForSelector('#dashboard[data-state="shown"]');
    expect(await guest.textContent('#place')).toContain('Lisbon');
    await eventually(() => chat.messages.last().textContent()).toContain('weather_dashboard came back');
  });

  test('the token is out of the address, and a reload goes on with it', async () => {
    chat = await openChat(browser, example);
    expect(chat.page.url()).not.toContain('token');
    await chat.page.reload();
    await eventually(() => chat.button(/^\d+ tools$/).count()).toBe(1);
  });
});

test('page and server of the example are under 150 lines', () => {
  const files = ['chat.jsx', 'server.mjs', 'page/index.html', 'page/page.css'];
  const lines = files.flatMap((name) =>
    readFileSync(new URL(`../../../examples/chat-host/src/${name}`, import.meta.url), 'utf8')
      .trimEnd()
      .split('\n'),
  );
  expect(lines.length).toBeLessThan(150);
});
