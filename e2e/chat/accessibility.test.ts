import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { readFaults, readFaultsInBothSchemes } from '../support/axe.js';
import { appReaches, say, settled, useChat } from './support.js';
import { toApp } from '../support/guest.js';
import { appSource, forecast, forecastTool } from './thread-fixtures.js';

const chat = useChat();

/** Each look begins with other colours, so that the page is opened in both. */
const looks = [
  { theme: 'light', viewport: { width: 1440, height: 900 } },
  { theme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

const app = toApp('await bridge.initialize();', 'body { color: CanvasText }');
const servers = [
  {
    name: 'demo',
    tools: [
      { name: 'show', html: app },
      { name: 'delete', annotations: { destructiveHint: true } },
      { name: 'search' },
      { name: 'bad', fails: 'no' },
      forecastTool,
    ],
  },
  { name: 'files', tools: [{ name: 'search' }] },
];
const call = { type: 'dynamic-tool', toolName: 'x', source: appSource } as const;
const messages = [
  { id: 'one', role: 'user', parts: [{ type: 'text', text: 'Hello `you`' }] },
  {
    id: 'two',
    role: 'assistant',
    parts: [
      { type: 'text', text: 'Some `code`:\n\n```js\nlet x = 1;\n```' },
      forecast,
      { ...call, toolCallId: 'a', state: 'cancelled' },
      { ...call, toolCallId: 'b', state: 'output-error', errorCode: 'tool-failed', errorText: 'It failed.' },
    ],
  },
  {
    id: 'three',
    role: 'user',
    from: { server: 'games', app: 'Chess board' },
    parts: [{ type: 'text', text: 'I moved.' }],
    context: [
      {
        app: { id: 'board', server: 'games', name: 'Chess board' },
        context: { structuredContent: { turn: 'black' } },
      },
    ],
  },
] as const;

/** Wide content scrolls in its own box; the page never does. */
const readOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const area = document.querySelector('.casement-scroll');
    return Math.max(
      document.documentElement.scrollWidth - document.documentElement.clientWidth,
      area ? area.scrollWidth - area.clientWidth : 0,
    );
  });

/** The page around the chat says its colours itself. */
const faults = (page: Page): Promise<string[]> =>
  readFaultsInBothSchemes(page, {
    onScheme: (scheme) =>
      page.evaluate((colors) => {
        document.documentElement.style.colorScheme = colors;
      }, scheme),
  });

describe.each(looks)(
  'in light and in dark colours at $viewport.width px nothing serious is found',
  (look) => {
    test('in a thread with everything in it, closed and unfolded', async () => {
      const page = await chat.open({ servers, messages }, look);
      expect(await faults(page)).toEqual([]);
      const folded = page.locator('details:not([open]) > summary');
      while ((await folded.count()) > 0) await folded.first().click();
      await page.getByRole('textbox', { name: 'Message' }).fill('/');
      await eventually(() => page.getByRole('option').count()).toBeGreaterThan(3);
      expect(await faults(page)).toEqual([]);
      await page.getByRole('textbox', { name: 'Message' }).fill('');
      await page.getByRole('button', { name: /tools$/ }).click();
      expect(await faults(page)).toEqual([]);
      expect(await readOverflow(page)).toBe(0);
    });

    test('with an app, a question and a message that waits', async () => {
      const page = await chat.open({ servers, approve: 'ask' }, look);
      expect(await faults(page)).toEqual([]);
      await say(page, '/show {}');
      await settled(page);
      await appReaches(page, 'call_1');
      await say(page, '/delete {"path": "everything"}');
      await page.getByRole('group', { name: 'Allow delete?' }).waitFor();
      // In its first moment the buttons look otherwise.
      expect(await faults(page)).toEqual([]);
      await eventually(() => page.getByRole('button', { name: 'Deny' }).getAttribute('aria-disabled')).toBe(
        'false',
      );
      await page.getByRole('textbox', { name: 'Message' }).fill('and then');
      await page.getByRole('button', { name: 'Send next' }).click();
      expect(await faults(page)).toEqual([]);
      expect(await readOverflow(page)).toBe(0);
      expect(chat.errors).toEqual([]);
    });

    test('with a turn that failed and a server that is gone', async () => {
      const page = await chat.open({ servers, maxSteps: 1 }, look);
      await say(page, '/bad {}');
      await page.getByRole('alert').waitFor();
      await page.evaluate(() =>
        window.chat.conversation.setServers([
          {
            name: 'broken',
            identity: 'broken',
            listTools: () => Promise.reject(new Error('no')),
            callTool: () => Promise.reject(new Error('no')),
            readResource: () => Promise.reject(new Error('no')),
            listResources: async () => [],
            subscribe: () => () => undefined,
          },
        ]),
      );
      await page.locator('.casement-problems li').waitFor();
      expect(await faults(page)).toEqual([]);
      expect(await readOverflow(page)).toBe(0);
    });
  },
);

test('the check finds what it should: text without contrast inside the thread', async () => {
  const page = await chat.open({ messages });
  await page
    .locator('.casement-text')
    .first()
    .evaluate((text) => Object.assign(text.style, { color: '#ddd' }));
  expect((await readFaults(page)).join()).toContain('color-contrast');
});
