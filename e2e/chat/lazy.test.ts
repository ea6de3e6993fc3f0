import type { ConversationMessage } from '@casement/chat';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { appReaches, useChat } from './support.js';
import { toApp } from '../support/guest.js';

const chat = useChat();

const uri = 'ui://demo/app';
const html = toApp(`
  bridge.notify('ui/notifications/size-changed', { height: 300 });
  await bridge.initialize();`);

/** A long conversation: every app in it is between ordinary messages. */
const toMessages = (count: number, apps: number): ConversationMessage[] =>
  Array.from({ length: count }, (_, index) => {
    const every = Math.floor(count / apps);
    const isApp = index % every === every - 1 && Math.floor(index / every) < apps;
    const item = {
      response_type: 'mcp_app' as const,
      mcp_app_id: `app-${Math.floor(index / every)}`,
      title: `App ${Math.floor(index / every)}`,
      server: 'demo',
      resource_uri: uri,
    };
    return {
      id: `m${index}`,
      role: index % 2 === 0 ? 'user' : 'assistant',
      parts: [isApp ? { type: 'mcp-app', item } : { type: 'text', text: `Message ${index}. `.repeat(12) }],
    };
  });

const mounted = (page: Page): Promise<string[]> =>
  page
    .locator('[data-mcp-app-id]:has(iframe)')
    .evaluateAll((apps) => apps.map((app) => app.getAttribute('data-mcp-app-id') ?? ''));
const scrollTo = (page: Page, where: 'start' | 'middle'): Promise<void> =>
  page.locator('.casement-scroll').evaluate((area, place) => {
    area.scrollTo({ top: place === 'start' ? 0 : area.scrollHeight / 2 });
  }, where);
/** Apps whose place overlaps what is seen, with a whole view of margin on both sides. */
const near = (page: Page, views: number): Promise<string[]> =>
  page.locator('.casement-scroll').evaluate((area, margin) => {
    const view = area.getBoundingClientRect();
    const [top, bottom] = [view.top - view.height * margin, view.bottom + view.height * margin];
    return [...area.querySelectorAll('[data-mcp-app-id]')]
      .filter((app) => app.getBoundingClientRect().bottom > top && app.getBoundingClientRect().top < bottom)
      .map((app) => app.getAttribute('data-mcp-app-id') ?? '');
  }, views);

test('of 30 apps in 100 messages only those near what is seen are mounted, and whoever was mounted stays', async () => {
  const page = await chat.open({
    servers: [{ name: 'demo', resources: { [uri]: html } }],
    messages: toMessages(100, 30),
  });
  expect(await page.locator('[data-mcp-app-id]').count()).toBe(30);
  // The conversation opens at its end.
  await appReaches(page, 'app-29');
  await eventually(async () => {
    const there = await mounted(page);
    return (await near(page, 0)).every((id) => there.includes(id));
  }).toBe(true);
  const atEnd = await mounted(page);
  expect(atEnd.length).toBeLessThan(12);
  expect(atEnd).not.toContain('app-0');
  expect(await page.evaluate(() => window.chat.reads.length)).toBeLessThan(12);

  await scrollTo(page, 'start');
  await appReaches(page, 'app-0');
  const atStart = await mounted(page);
  expect(atStart).toEqual(expect.arrayContaining([...atEnd, 'app-0']));
  expect(atStart).not.toContain('app-15');
  // The one that was seen first is the same frame with the same document.
  expect(await page.evaluate(() => window.chat.snapshot('app-29')?.epoch)).toBe(1);
  expect(chat.errors).toEqual([]);
});

test('an app that is not mounted yet has the room of one, so that the text below does not jump much', async () => {
  const page = await chat.open({
    servers: [{ name: 'demo', resources: { [uri]: html } }],
    messages: toMessages(100, 30),
  });
  await appReaches(page, 'app-29');
  await scrollTo(page, 'start');
  await appReaches(page, 'app-0');
  const far = page.locator('[data-mcp-app-id="app-15"] .casement-app-place');
  expect((await far.boundingBox())?.height).toBeGreaterThan(400);
});

test('opening an app from far away mounts it at once', async () => {
  const page = await chat.open({
    servers: [{ name: 'demo', resources: { [uri]: html } }],
    messages: toMessages(100, 30),
  });
  await appReaches(page, 'app-29');
  await page.evaluate(() => {
    const { conversation, shell } = window.chat;
    const items = conversation
      .getSnapshot()
      .messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'mcp-app' ? [part.item] : [])));
    const [first] = items;
    if (first) shell.show(first, 'pip');
  });
  await appReaches(page, 'app-0');
  await page.getByRole('region', { name: 'App 0, app from demo' }).waitFor();
});
