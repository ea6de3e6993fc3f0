import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { launchBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { publishedServers } from '../support/server-commands.js';
import type { ModelServer } from './model-server.js';
import { calls, says, startModelServer } from './model-server.js';
import type { ChatPage, RunningExample } from './support.js';
import { guestServer, openChat, startChatHost } from './support.js';

let browser: Browser;
let model: ModelServer;
let example: RunningExample;
let chat: ChatPage;

beforeAll(async () => {
  [browser, model] = await Promise.all([launchBrowser(), startModelServer()]);
  const { basicReact, monitor } = publishedServers;
  const servers = { clock: basicReact, monitor, boards: guestServer('boards') };
  example = await startChatHost({ servers, modelUrl: model.url });
});

afterAll(async () => {
  await browser?.close();
  await example?.close();
  await model?.close();
});

afterEach(async () => {
  expect(chat.errors).toEqual([]);
  await chat.close();
});

const shows = (text: string) => eventually(() => chat.messages.last().textContent()).toContain(text);

verifies(
  ['S5-98'],
  'a published server: the model calls its tool, its app shows the result, calls back and writes in the chat',
  async () => {
    model.play(calls('call_1', 'get-time', '{}'), says('It is late.'));
    chat = await openChat(browser, example);
    await chat.send('What time is it?');
    await shows('It is late.');
    const guest = await chat.guest();
    const shownTime = () => guest.locator('code').first().textContent();
    await eventually(shownTime).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(model.calls[1]?.body.messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'call_1' });
    const before = await shownTime();
    await guest.getByRole('button', { name: 'Get Server Time' }).click();
    await eventually(shownTime).not.toBe(before);
    model.play(says('Heard.'));
    await guest.getByRole('button', { name: 'Send Message' }).click();
    await chat.page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await shows('Heard.');
    expect(await chat.page.locator('li[data-written-by="app"]').textContent()).toContain('clock');
    expect(model.calls[0]?.text).toContain('[Written by the app');
  },
);

verifies(
  ['S5-98'],
  'two published servers in one conversation, each app beside the call it belongs to',
  async () => {
    model.play(
      calls('call_1', 'get-time', '{}'),
      calls('call_2', 'get-system-info', '{}'),
      says('Both are there.'),
    );
    chat = await openChat(browser, example);
    await chat.send('Time and system');
    await shows('Both are there.');
    const status = (id: string) =>
      chat.page.locator(`[data-mcp-app-id="${id}"] [data-app-status]`).getAttribute('data-app-status');
    await eventually(() => status('call_1')).toBe('ready');
    await eventually(() => status('call_2')).toBe('ready');
    const sources = await chat.cards.evaluateAll((cards) => cards.map(({ textContent }) => textContent));
    expect(sources[0]).toContain('clock');
    expect(sources[1]).toContain('monitor');
  },
);

verifies(
  ['S5-87', 'S5-08'],
  'an app that cannot be read is an error in its place, with the text of the call',
  async () => {
    model.play(calls('call_1', 'missing-resource', '{}'), says('See there.'));
    chat = await openChat(browser, example);
    await chat.send('Show it');
    await shows('See there.');
    const error = chat.page.locator('[data-app-error]');
    await eventually(() => error.getAttribute('data-app-error')).toBe('resource-missing');
    expect(await error.textContent()).toContain('text result of missing-resource');
    expect(await error.getByRole('button', { name: 'Reload' }).count()).toBe(1);
    model.play(says('Of course.'));
    await chat.send('Go on?');
    await shows('Of course.');
  },
);
