import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import type { ModelServer } from './model-server.js';
import { calls, says, startModelServer } from './model-server.js';
import type { ChatPage, RunningExample } from './support.js';
import { guestServer, openChat, openDemo, startChatHost } from './support.js';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let browser: Browser;
let model: ModelServer;
let example: RunningExample;
let chat: ChatPage;

beforeAll(async () => {
  [browser, model] = await Promise.all([launchBrowser(), startModelServer()]);
  example = await startChatHost({ servers: { boards: guestServer('boards') }, modelUrl: model.url });
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

/** What axe holds against the page; what is inside an app's frame is the app's affair. */
const readFaults = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate(
    // The source above put it there; no type can know that.
    () =>
      (window as unknown as { axe: { run(...args: unknown[]): Promise<AxeResults> } }).axe.run(document, {
        resultTypes: ['violations'],
        iframes: false,
      }),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
};

test('the check itself finds text without contrast', async () => {
  chat = await openChat(browser, example);
  await chat.page.evaluate(() => {
    const text = document.createElement('p');
    text.textContent = 'hardly there';
    text.style.color = '#eee';
    text.style.background = '#fff';
    document.querySelector('main')?.append(text);
  });
  const faults = (await readFaults(chat.page)).map((fault) => fault.split(':')[0]);
  expect(faults).toContain('color-contrast');
});

const views = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [390, 1440].map((width) => ({ colorScheme, width })),
);

describe.each(views)('in $colorScheme at $width px', ({ colorScheme, width }) => {
  const view = { colorScheme, viewport: { width, height: 800 } };

  test('thread, tiles, panel and workspace have no fault', async () => {
    chat = await openDemo(browser, example, view);
    const guest = await chat.guest();
    await eventually(() => guest.textContent('#mode')).toBe(`inline, ${colorScheme}`);
    expect(await readFaults(chat.page)).toEqual([]);
    await chat.button('Open Counter (pip)').click();
    await eventually(() => chat.page.getByText('Viewing').count()).toBe(1);
    expect(await readFaults(chat.page)).toEqual([]);
    await chat.button('Close Counter (pip)').evaluate((button: HTMLElement) => button.click());
    await chat.button('Open Counter (fullscreen)').click();
    await eventually(async () => (await chat.guest(2)).textContent('#mode')).toBe(
      `fullscreen, ${colorScheme}`,
    );
    expect(await readFaults(chat.page)).toEqual([]);
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  test('a call, a failed one, a question and a failure have no fault', async () => {
    model.play(calls('call_1', 'board', '{"title": "Party"}'), says('There it is.'));
    chat = await openChat(browser, example, view);
    await eventually(() => chat.button(/^\d+ tools$/).count()).toBe(1);
    await chat.send('A board');
    await eventually(() => chat.messages.last().textContent()).toContain('There it is.');
    model.play(calls('call_2', 'no_such_tool', '{}'), (answer) => answer.refuse(401, 'No'));
    await chat.send('Another');
    await eventually(() => chat.failure.getAttribute('data-code')).toBe('model-refused');
    expect(await readFaults(chat.page)).toEqual([]);
    model.play(async (answer, { body }) => {
      const tool = body.tools
        ?.map(({ function: { name } }) => name)
        .find((name) => name.endsWith('set-square'));
      await answer.call('call_3', tool ?? 'not offered', '{"mark": "X"}');
      await answer.finish('tool_calls');
    }, says('Done.'));
    await chat.button('Retry').click();
    const allow = chat.button('Allow once');
    await allow.waitFor();
    await eventually(() => allow.getAttribute('aria-disabled')).not.toBe('true');
    expect(await readFaults(chat.page)).toEqual([]);
  });
});
