import type { McpAppItem } from '@casement/chat';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { toKeepingApp } from './fixtures.js';
import { readFaults } from '../support/axe.js';
import { appReaches, guestOf, useChat } from './support.js';

const chat = useChat();

const toItem = (id: string, display_mode: McpAppItem['display_mode'] = 'inline'): McpAppItem => ({
  response_type: 'mcp_app',
  mcp_app_id: id,
  title: `Title ${id}`,
  resource_html: toKeepingApp(),
  display_mode,
});
const wrapper = (page: Page, id: string) => page.locator(`[data-mcp-app-id="${id}"] [data-display-mode]`);
const head = (page: Page, id: string, name: string) =>
  wrapper(page, id).getByRole('button', { name, exact: true });
const tile = (page: Page, id: string, action = 'Open') =>
  page.getByRole('button', { name: `${action} Title ${id}`, exact: true });
const boxOf = async (page: Page, id: string) => {
  const box = await wrapper(page, id).boundingBox();
  if (!box) throw new Error('The app has no box.');
  return box;
};
/** What has the focus, in whatever shadow root: its name or text. */
const focused = (page: Page) =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.getAttribute('aria-label') ?? element?.textContent ?? element?.tagName;
  });
const announced = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Title' }).locator('p').allTextContents();

test('the panel by keyboard: opened from its tile, left by Escape, with the focus where it was', async () => {
  const page = await chat.open({ items: [toItem('f', 'fullscreen')] });
  await tile(page, 'f').focus();
  await page.keyboard.press('Enter');
  await appReaches(page, 'f');
  await eventually(() => focused(page)).toBe('Close');
  // Back and forth it never leaves the panel.
  for (const key of ['Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key);
    await eventually(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
    const isInside = await wrapper(page, 'f').evaluate((panel) => panel.contains(document.activeElement));
    expect(isInside).toBe(true);
  }
  await head(page, 'f', 'Close').focus();
  await page.keyboard.press('Escape');
  await eventually(() => focused(page)).toBe('Open Title f');
  expect(await announced(page)).toEqual(['Title f opened over the conversation.', 'Title f closed.']);
});

test('the workspace by keyboard: the focus stays with the user, the app is next, and closing gives it back', async () => {
  const page = await chat.open({ items: [toItem('p', 'pip')] });
  await tile(page, 'p').focus();
  await page.keyboard.press('Enter');
  await appReaches(page, 'p');
  expect(await focused(page)).toBe('Close Title p');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Expand');
  await head(page, 'p', 'Close').focus();
  await page.keyboard.press('Enter');
  await eventually(() => focused(page)).toBe('Open Title p');
  // Escape in the workspace's own head does the same; elsewhere it is not the workspace's.
  await page.keyboard.press('Enter');
  await page.getByText('Viewing').waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByText('Viewing').count()).toBe(1);
  await head(page, 'p', 'Close').focus();
  await page.keyboard.press('Escape');
  await eventually(() => focused(page)).toBe('Open Title p');
});

test('an app the page opened, with the focus nowhere, gives it to its tile when it is closed', async () => {
  const page = await chat.open({ items: [toItem('p', 'pip')] });
  await page.evaluate(() => {
    const [part] = window.chat.conversation.getSnapshot().messages[0]?.parts ?? [];
    if (part?.type === 'mcp-app') window.chat.shell.show(part.item);
  });
  await appReaches(page, 'p');
  await head(page, 'p', 'Close').focus();
  await page.keyboard.press('Enter');
  await eventually(() => focused(page)).toBe('Open Title p');
});

test('an inline app moved by its head comes back with the focus on what moved it, or on the app', async () => {
  const page = await chat.open({ items: [toItem('i')] });
  await appReaches(page, 'i');
  await head(page, 'i', 'Expand').focus();
  await page.keyboard.press('Enter');
  await eventually(() => focused(page)).toBe('Close');
  await page.keyboard.press('Escape');
  await eventually(() => focused(page)).toBe('Expand');
  await head(page, 'i', 'Open beside').focus();
  await page.keyboard.press('Enter');
  await tile(page, 'i', 'Close').focus();
  await page.keyboard.press('Enter');
  await eventually(() => page.locator('.casement-tile').count()).toBe(0);
  const isInPlace = await page
    .locator('.casement-app-place')
    .evaluate((place) => place === document.activeElement);
  expect(isInPlace).toBe(true);
});

test('a floating workspace is moved by the arrow keys and stays within the page', async () => {
  const page = await chat.open({ items: [toItem('p', 'pip')], props: { workspace: 'floating' } });
  await tile(page, 'p').click();
  await appReaches(page, 'p');
  await eventually(async () => (await boxOf(page, 'p')).y).toBe(16);
  const corner = await boxOf(page, 'p');
  expect(corner.x + corner.width).toBe(1440 - 16);
  await head(page, 'p', 'Move').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  expect(await boxOf(page, 'p')).toEqual({ ...corner, x: corner.x - 16, y: 32 });
  await page.keyboard.press('Shift+ArrowLeft');
  expect((await boxOf(page, 'p')).x).toBe(corner.x - 80);
  for (let step = 0; step < 30; step += 1) await page.keyboard.press('Shift+ArrowLeft');
  for (let step = 0; step < 20; step += 1) await page.keyboard.press('Shift+ArrowDown');
  expect(await boxOf(page, 'p')).toEqual({ ...corner, x: 8, y: 900 - 8 - corner.height });
  // A smaller window takes it along; without space it lies over the thread, and with space it is a card again.
  await page.setViewportSize({ width: 1000, height: 600 });
  await eventually(async () => (await boxOf(page, 'p')).y).toBe(600 - 8 - corner.height);
  await page.setViewportSize({ width: 500, height: 600 });
  await eventually(() => head(page, 'p', 'Move').isVisible()).toBe(false);
  expect((await boxOf(page, 'p')).width).toBeGreaterThan(480);
  await page.setViewportSize({ width: 1440, height: 900 });
  await head(page, 'p', 'Move').focus();
  await page.keyboard.press('Home');
  await eventually(() => boxOf(page, 'p')).toEqual(corner);
});

test('a floating workspace is dragged by its head, also across frames, and keeps its document', async () => {
  const page = await chat.open({
    items: [toItem('i'), toItem('p', 'pip')],
    props: { workspace: 'floating' },
  });
  await appReaches(page, 'i');
  await tile(page, 'p').click();
  const guest = await guestOf(page, 'p');
  await guest.locator('#count').click();
  await eventually(async () => (await boxOf(page, 'p')).y).toBe(16);
  await head(page, 'p', 'Move').waitFor();
  const from = await boxOf(page, 'p');
  await page.mouse.move(from.x + 60, from.y + 20);
  await page.mouse.down();
  // Over the other app, whose frame would take the pointer, and further than the page.
  await page.mouse.move(from.x - 340, from.y + 220, { steps: 8 });
  await eventually(() => boxOf(page, 'p')).toEqual({ ...from, x: from.x - 400, y: from.y + 200 });
  await page.mouse.move(5, 2, { steps: 8 });
  await eventually(() => boxOf(page, 'p')).toEqual({ ...from, x: 8, y: 8 });
  await page.mouse.up();
  await page.mouse.move(700, 500, { steps: 4 });
  expect(await boxOf(page, 'p')).toEqual({ ...from, x: 8, y: 8 });
  expect(await guest.locator('#count').textContent()).toBe('1');
  await head(page, 'p', 'Close').click();
  await eventually(() => page.getByText('Viewing').count()).toBe(0);
});

test('a docked workspace has its place and cannot be moved', async () => {
  const page = await chat.open({ items: [toItem('p', 'pip')] });
  await tile(page, 'p').click();
  await appReaches(page, 'p');
  expect(await head(page, 'p', 'Move').count()).toBe(0);
});

test.each([
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
] as const)('nothing serious is found in %s at %i px, in any place of an app', async (theme, width) => {
  const page = await chat.open(
    {
      items: [
        toItem('i'),
        toItem('f', 'fullscreen'),
        toItem('p', 'pip'),
        {
          ...toItem('e'),
          resource_html: undefined,
          server: 'none',
          fallback_text: 'In words.',
        } as McpAppItem,
      ],
    },
    { theme, viewport: { width, height: 844 } },
  );
  await appReaches(page, 'i');
  expect(await readFaults(page)).toEqual([]);
  await tile(page, 'f').click();
  await appReaches(page, 'f');
  expect(await readFaults(page)).toEqual([]);
  await head(page, 'f', 'Close').click();
  await tile(page, 'p').click();
  await appReaches(page, 'p');
  expect(await readFaults(page)).toEqual([]);
  await page.evaluate(() => window.chat.render({ workspace: 'floating' }));
  expect(await readFaults(page)).toEqual([]);
});
