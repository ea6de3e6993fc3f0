import { describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { appReaches, guestOf, say, settled, useChat } from './support.js';
import { toApp } from '../support/guest.js';
import {
  appSource,
  forecast,
  forecastTool,
  serverSource,
  showTool,
  toManyMessages,
} from './thread-fixtures.js';

const chat = useChat();

describe('parts of a message', () => {
  verifies(
    ['S1-22', 'S1-24'],
    'static and dynamic calls of a tool with an app keep their card above the app, those without have none',
    async () => {
      const output = { content: [{ type: 'text' as const, text: 'shown below' }] };
      const page = await chat.open({
        servers: [{ name: 'demo', tools: [{ name: 'show', html: toApp('await bridge.initialize();') }] }],
        messages: [
          {
            id: 'one',
            role: 'assistant',
            parts: [
              { ...showTool, type: 'tool-show', toolCallId: 'static', output },
              { ...showTool, type: 'dynamic-tool', toolName: 'show', toolCallId: 'dynamic', output },
              forecast,
            ],
          },
        ],
      });
      for (const id of ['static', 'dynamic']) {
        await appReaches(page, id);
        const card = page.locator(`[data-tool-call="${id}"]`);
        expect(await card.getAttribute('aria-label')).toBe('Tool show');
        expect(await card.isVisible()).toBe(true);
        const frame = page.locator(`[data-mcp-app-id="${id}"] iframe`);
        const [top, below] = [await card.boundingBox(), await frame.boundingBox()];
        expect((top?.y ?? 0) + (top?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
        // The app shows the result: the card has it on demand.
        expect(await card.getByText('shown below').count()).toBe(0);
        await card.getByText('Result', { exact: true }).click();
        expect(await card.getByText('shown below').isVisible()).toBe(true);
      }
      expect(await page.locator('[data-mcp-app-id]').count()).toBe(2);
      expect(await page.locator('[data-tool-call="forecast"]').textContent()).toContain('Sunny, 24 degrees.');
      expect(chat.errors).toEqual([]);
    },
  );

  verifies('S1-25', 'without an app a result is text, pictures, links and JSON', async () => {
    const bareResult = { content: [], structuredContent: { deep: [1] } };
    const parts = [forecast, { ...forecast, toolCallId: 'bare', output: bareResult }];
    const page = await chat.open({ messages: [{ id: 'one', role: 'assistant', parts }] });
    const card = page.locator('[data-tool-call="forecast"]');
    expect(await card.locator('pre').first().textContent()).toBe('Sunny, 24 degrees.\nWind from the north.');
    const picture = card.getByRole('img', { name: 'Image' });
    await eventually(() =>
      picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
    ).toBe(true);
    const link = card.getByRole('link');
    expect(await link.getAttribute('href')).toBe('https://weather.example/lisbon');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    // Only addresses of the web are links.
    expect(await card.getByText('file:///report.txt').evaluate(({ tagName }) => tagName)).toBe('CODE');
    await card.getByText('Structured result').click();
    expect(JSON.parse((await card.locator('pre').last().textContent()) ?? '')).toEqual({ temperature: 24 });

    // Nothing but JSON: it is open from the start.
    const bare = page.locator('[data-tool-call="bare"] pre');
    expect(JSON.parse((await bare.textContent()) ?? '')).toEqual({ deep: [1] });
  });

  test('text is text: no markup, no links; code and inline code stand out', async () => {
    const text =
      'Hi <img src=x onerror="document.title=1"> `a<b>`\n\n```js\nlet x = "<script>";\n```\n[a](javascript:1)';
    const page = await chat.open({
      messages: [{ id: 'one', role: 'assistant', parts: [{ type: 'text', text }] }],
    });
    const shown = page.locator('.casement-text');
    expect(await shown.locator('p').first().textContent()).toBe(
      'Hi <img src=x onerror="document.title=1"> a<b>',
    );
    expect(await shown.locator('p code').textContent()).toBe('a<b>');
    expect(await shown.locator('pre').textContent()).toBe('let x = "<script>";');
    expect(await shown.locator('figcaption span').textContent()).toBe('js');
    expect(await shown.locator('img, a, script').count()).toBe(0);
  });

  test('the Markdown of an answer becomes elements, that of people and apps does not', async () => {
    const text = [
      '- one **two**',
      '| a | b |\n|-|-|\n| 1 | 2 |',
      '[three](https://b.test "four") [five](https:/logout) `six`',
      '<img src=x onerror="document.title=1">',
    ].join('\n\n');
    const parts = [{ type: 'text' as const, text }];
    const page = await chat.open({
      messages: [
        { id: 'one', role: 'assistant', parts },
        { id: 'two', role: 'user', parts },
        { id: 'three', role: 'user', from: { server: 'games', app: 'Chess' }, parts },
      ],
    });
    const answer = page.locator('[data-written-by="assistant"] .casement-text');
    // The parser comes with the first answer.
    await answer.locator('ul > li > strong').waitFor();
    expect(await answer.locator('tbody td').allTextContents()).toEqual(['1', '2']);
    const link = answer.locator('a');
    expect(await link.evaluateAll((all) => all.map(String))).toEqual(['https://b.test/']);
    expect(await link.textContent()).toBe('three “four” (b.test)');
    expect(await answer.getByText('[five](https:/logout)').count()).toBe(1);
    expect(await answer.getByText('<img src=x onerror="document.title=1">').count()).toBe(1);
    for (const author of ['user', 'app']) {
      const written = page.locator(`[data-written-by="${author}"] .casement-text`);
      expect(await written.locator('ul, table, strong, a').count()).toBe(0);
      expect(await written.locator('code').textContent()).toBe('six');
      expect(await written.textContent()).toContain('- one **two**');
    }
    expect(await page.locator('.casement-text img').count()).toBe(0);
    expect(chat.errors).toEqual([]);
  });

  test('a failed call has its code, its reason and a next step', async () => {
    const page = await chat.open({
      servers: [{ name: 'weather', tools: [{ name: 'get_forecast', fails: 'secret of the server' }] }],
    });
    await say(page, '/get_forecast {broken');
    await settled(page);
    const card = page.locator('.casement-tool').first();
    expect(await card.getAttribute('data-code')).toBe('input-malformed');
    expect(await card.locator('.casement-fault').textContent()).toMatch(
      /not valid JSON.*\{broken.*The model was told so.*input-malformed/,
    );
    expect(await card.locator('.casement-tool-state').textContent()).toBe('Failed');
  });

  test('arguments are shown while the model writes them', async () => {
    const page = await chat.open({
      servers: [{ name: 'weather', tools: [forecastTool] }],
      pace: 400,
      chunk: 4,
    });
    await say(page, `/get_forecast {"city": "Lisbon${' and all the places around it'.repeat(5)}"}`);
    const card = page.locator('.casement-tool');
    await eventually(() => card.getAttribute('data-state')).toBe('input-streaming');
    await eventually(() => card.locator('pre').textContent()).toMatch(/^\{"city": "Li/);
    await page.getByRole('button', { name: 'Stop' }).click();
    await eventually(() => card.getAttribute('data-state')).toBe('cancelled');
    expect(
      await page
        .getByRole('textbox', { name: 'Message' })
        .evaluate((field) => field === document.activeElement),
    ).toBe(true);
  });
});

describe('authors', () => {
  test('what an app wrote stands under its name, and what it told the model can be read', async () => {
    const app = { id: 'board', server: 'games', name: 'Chess\u202e board', version: '1.4.0' };
    const page = await chat.open({
      messages: [
        { id: 'one', role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
        {
          id: 'two',
          role: 'user',
          from: { server: 'games', app: 'Chess\u202e board' },
          parts: [{ type: 'text', text: 'I moved.' }],
          context: [
            {
              app,
              context: { content: [{ type: 'text', text: 'e2-e4' }], structuredContent: { turn: 'black' } },
            },
          ],
        },
      ],
    });
    const [own, written] = [page.locator('li').nth(0), page.locator('li').nth(1)];
    expect(await own.getAttribute('data-written-by')).toBe('user');
    expect(await written.getAttribute('data-written-by')).toBe('app');
    // What would turn the text around is written out.
    expect(await written.locator('.casement-author').textContent()).toBe(
      'App Written by the app Chess\\u{202e} board of games',
    );
    const looks = (selector: string) =>
      page.locator(selector).evaluate((node) => getComputedStyle(node).borderStyle);
    expect(await looks('[data-written-by="app"] > .casement-parts')).toBe('dashed');
    expect(await looks('[data-written-by="user"] > .casement-parts')).toBe('solid');
    expect(await written.getByText('e2-e4').count()).toBe(0);
    await written.getByText('Apps told the model (1)').click();
    expect(await written.getByText('e2-e4').isVisible()).toBe(true);
    expect(
      await written
        .getByRole('group', { name: 'Chess\\u{202e} board 1.4.0, of games' })
        .first()
        .textContent(),
    ).toContain('"turn":"black"');
  });

  test('what a live app will tell the model is shown before it is sent, and with the message after', async () => {
    const html = toApp(`
      document.title = 'Notes';
      await bridge.initialize();
      await bridge.request('ui/update-model-context', { content: [{ type: 'text', text: 'two notes are open' }] });
      globalThis.speak = () =>
        bridge.request('ui/message', { role: 'user', content: [{ type: 'text', text: 'Sort them.' }] });`);
    const page = await chat.open({
      servers: [{ name: 'demo', tools: [{ name: 'notes', html }] }],
      answers: { message: true },
    });
    await say(page, '/notes {}');
    await settled(page);
    const pending = page.locator('.casement-composer').getByText('Apps will tell the model (1)');
    await pending.click();
    expect(await page.locator('.casement-composer .casement-context').textContent()).toBe(
      'App Notes 1.0.0, of demotwo notes are open',
    );
    // The guest's own way to speak, as its document made it.
    await (await guestOf(page, 'call_1')).evaluate('speak()');
    const written = page.locator('li[data-written-by="app"]');
    await written.waitFor();
    await settled(page);
    expect(await written.textContent()).toContain('Written by the app Notes of demo');
    expect(await pending.count()).toBe(0);
    await written.getByText('Apps told the model (1)').click();
    expect(await written.locator('.casement-context').textContent()).toContain('two notes are open');
    const last = await page.evaluate(() => JSON.stringify(window.chat.requests.at(-1)));
    expect(last).toContain('two notes are open');
  });

  test('messages that wait for their turn are shown as such', async () => {
    const page = await chat.open({
      servers: [{ name: 'demo', tools: [{ name: 'slow', waits: true }] }],
    });
    await say(page, '/slow');
    await eventually(() => page.locator('.casement-tool').getAttribute('data-state')).toBe('input-available');
    await page.getByRole('textbox', { name: 'Message' }).fill('and then');
    await page.getByRole('button', { name: 'Send next' }).click();
    const waiting = page.locator('li[data-queued]');
    expect(await waiting.textContent()).toContain('Waits for its turn');
    await page.evaluate(() => window.chat.release('slow'));
    await settled(page);
    expect(await waiting.count()).toBe(0);
    expect(await page.locator('li[data-role="user"]').count()).toBe(2);
  });
});

describe('where the reader is', () => {
  const readEnd = (): Promise<number> =>
    chat.page
      .locator('.casement-scroll')
      .evaluate((area) => area.scrollHeight - area.clientHeight - area.scrollTop);

  test('the end stays in view until the reader scrolls up; then a button leads to what is new', async () => {
    const page = await chat.open({ messages: toManyMessages(40) });
    await eventually(readEnd).toBeLessThan(2);
    const item = { response_type: 'mcp_app', title: 'T', mcp_app_id: 'one', server: 'none' } as const;
    await page.evaluate((given) => window.chat.conversation.addItem(given), item);
    await eventually(() => page.locator('li').count()).toBe(41);
    await eventually(readEnd).toBeLessThan(2);
    expect(await page.getByRole('button', { name: 'New messages' }).count()).toBe(0);

    await page.locator('.casement-scroll').hover();
    await page.mouse.wheel(0, -800);
    await eventually(readEnd).toBeGreaterThan(300);
    const before = await page.locator('.casement-scroll').evaluate((area) => area.scrollTop);
    await page.evaluate((given) => window.chat.conversation.addItem({ ...given, mcp_app_id: 'two' }), item);
    const news = page.getByRole('button', { name: 'New messages' });
    await news.waitFor();
    expect(await page.locator('.casement-scroll').evaluate((area) => area.scrollTop)).toBe(before);
    await news.click();
    await eventually(readEnd).toBeLessThan(2);
    await eventually(() => news.count()).toBe(0);
  });

  test('what the user sends leads to the end from anywhere', async () => {
    const page = await chat.open({ messages: toManyMessages(40) });
    await eventually(readEnd).toBeLessThan(2);
    await page.locator('.casement-scroll').hover();
    await page.mouse.wheel(0, -2000);
    await eventually(readEnd).toBeGreaterThan(600);
    await say(page, 'here I am');
    await settled(page);
    await eventually(readEnd).toBeLessThan(2);
  });
});

describe('troubles', () => {
  test('a turn that fails is named and can be tried again, with all that was said', async () => {
    const page = await chat.open({ servers: [{ name: 'demo', tools: [{ name: 'again' }] }], maxSteps: 1 });
    await say(page, '/again {"a": 1}');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.getAttribute('data-code')).toBe('step-limit');
    expect(await alert.textContent()).toContain('step-limit');
    expect(await page.locator('li').count()).toBe(2);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await settled(page);
    expect(await alert.count()).toBe(0);
    expect(await page.locator('li').count()).toBe(3);
    expect(
      await page
        .getByRole('textbox', { name: 'Message' })
        .evaluate((field) => field === document.activeElement),
    ).toBe(true);
  });

  test('a server that does not list its tools is named with its code', async () => {
    const page = await chat.open({ servers: [] });
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
    const problem = page.locator('.casement-problems li');
    await problem.waitFor();
    expect(await problem.getAttribute('data-code')).toBe('server-unreachable');
    expect(await problem.textContent()).toContain('The tools of broken are not on offer.');
  });
});

test('an empty thread offers the prompts of the page, and sends the one chosen', async () => {
  const page = await chat.open({ props: { prompts: ['Say hello', 'Show me'] } });
  await page.getByRole('button', { name: 'Say hello' }).click();
  await settled(page);
  expect(await page.locator('li[data-role="user"]').textContent()).toContain('Say hello');
  expect(await page.getByText('What would you like to do?').count()).toBe(0);
});

test('a tool that an app offers is marked in its call', async () => {
  const part = {
    type: 'dynamic-tool',
    toolName: 'move',
    toolCallId: 'a',
    state: 'output-available',
  } as const;
  const page = await chat.open({
    messages: [
      {
        id: 'one',
        role: 'assistant',
        parts: [
          { ...part, source: appSource },
          { ...part, toolCallId: 'b', source: serverSource },
        ],
      },
    ],
  });
  const cards = page.locator('.casement-tool');
  expect(await cards.nth(0).locator('header').textContent()).toContain('App');
  expect(await cards.nth(0).locator('header').textContent()).toContain(
    'of the app Chess board 1.4.0, from games',
  );
  expect(await cards.nth(1).locator('header').textContent()).toContain('of the server weather');
  const borders = await cards.evaluateAll((all) => all.map((card) => getComputedStyle(card).borderStyle));
  expect(borders).toEqual(['dashed', 'solid']);
});
