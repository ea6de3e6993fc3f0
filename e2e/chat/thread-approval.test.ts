import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import type { ChatPlan } from './support.js';
import { appReaches, say, settled, useChat } from './support.js';
import { toApp } from '../support/guest.js';
import { toManyMessages } from './thread-fixtures.js';

const chat = useChat();

const destroys: ChatPlan = {
  approve: 'ask',
  servers: [
    {
      name: 'files',
      tools: [
        { name: 'delete', annotations: { destructiveHint: true } },
        { name: 'erase', annotations: { destructiveHint: true } },
      ],
    },
  ],
};

const questionOf = (page: Page) => page.getByRole('group', { name: /^Allow / });

/** Answers the first question; again as long as the press did not count, because the question had just moved. */
const answer = async (page: Page, name: string): Promise<void> => {
  await questionOf(page).first().waitFor();
  const questions = await questionOf(page).count();
  const button = questionOf(page).first().getByRole('button', { name });
  const press = async (): Promise<number> => {
    if ((await button.getAttribute('aria-disabled')) === 'false')
      await button.click({ timeout: 2_000 }).catch(() => undefined);
    return questionOf(page).count();
  };
  await eventually(press).toBeLessThan(questions);
};

const calls = (page: Page): Promise<number> => page.evaluate(() => window.chat.calls.length);
const isFocused = (page: Page, selector: string): Promise<boolean> =>
  page
    .locator(selector)
    .first()
    .evaluate((node) => node === document.activeElement);

describe('a tool that may do harm', () => {
  test('is asked about with its source and arguments, and not run before the answer', async () => {
    const page = await chat.open(destroys);
    await say(page, '/delete {"path": "/home"}');
    const question = questionOf(page);
    await question.waitFor();
    const text = await question.textContent();
    expect(text).toContain('The model wants to call this tool of the server files.');
    expect(text).toContain('The server says: this may destroy data.');
    expect(text).toContain('"path": "/home"');
    await eventually(() => page.getByRole('status').allTextContents()).toContainEqual(
      expect.stringContaining('delete, of the server files, waits for your permission.'),
    );
    expect(await calls(page)).toBe(0);
    await answer(page, 'Allow once');
    await settled(page);
    expect(await page.evaluate(() => window.chat.calls)).toEqual([
      { server: 'files', name: 'delete', arguments: { path: '/home' }, caller: 'model' },
    ]);
    // Once is once.
    await say(page, '/delete {"path": "/home"}');
    await questionOf(page).waitFor();
  });

  test('sec-B4 Escape is a no, wherever in the chat the focus is', async () => {
    const page = await chat.open(destroys);
    for (const selector of ['.casement-question', '.casement-question button', 'textarea']) {
      await say(page, '/delete {}');
      await questionOf(page).waitFor();
      await page.locator(selector).first().focus();
      await page.keyboard.press('Escape');
      await settled(page);
      expect(await questionOf(page).count()).toBe(0);
    }
    expect(await calls(page)).toBe(0);
  });

  test('is not run after a no, which the call then says', async () => {
    const page = await chat.open(destroys);
    await say(page, '/delete {}');
    await answer(page, 'Deny');
    await settled(page);
    expect(await calls(page)).toBe(0);
    const card = page.locator('.casement-tool').first();
    expect(await card.getAttribute('data-code')).toBe('approval-denied');
    expect(await card.textContent()).toContain('The model was told so.');
  });

  test('is remembered after always and after never', async () => {
    const page = await chat.open(destroys);
    await say(page, '/delete {}');
    await answer(page, 'Always allow');
    await settled(page);
    await say(page, '/delete {}');
    await settled(page);
    expect(await calls(page)).toBe(2);

    await say(page, '/erase {}');
    await answer(page, 'Never allow');
    await settled(page);
    await say(page, '/erase {}');
    await settled(page);
    expect(await calls(page)).toBe(2);
    expect(await page.locator('[data-code="approval-denied"]').count()).toBe(2);
  });
});

describe('an answer is meant', () => {
  test('a click in the first moment of the question does nothing', async () => {
    const page = await chat.open(destroys);
    // The page itself clicks as soon as there is a button, as the second half of a double click would.
    await page.evaluate(() => {
      new MutationObserver((_changes, watch) => {
        const button = [...document.querySelectorAll<HTMLElement>('.casement-question button')].find(
          ({ textContent }) => textContent === 'Allow once',
        );
        if (!button) return;
        watch.disconnect();
        button.click();
        document.body.dataset.clicked = 'yes';
      }).observe(document.body, { childList: true, subtree: true });
    });
    await say(page, '/delete {}');
    await eventually(() => page.locator('body').getAttribute('data-clicked')).toBe('yes');
    const allow = page.getByRole('button', { name: 'Allow once' });
    await eventually(() => allow.getAttribute('aria-disabled')).toBe('false');
    expect(await calls(page)).toBe(0);
    await allow.click();
    await settled(page);
    expect(await calls(page)).toBe(1);
  });

  test('a yes clicked just after something above moved the question does nothing; by key it counts', async () => {
    const page = await chat.open(destroys);
    await say(page, '/delete {}');
    const allow = page.getByRole('button', { name: 'Allow once' });
    await eventually(() => allow.getAttribute('aria-disabled')).toBe('false');
    const press = (detail: number) =>
      page.evaluate((count) => {
        const first = document.querySelector<HTMLElement>('.casement-message');
        if (first) first.style.paddingTop = `${parseInt(first.style.paddingTop || '0') + 40}px`;
        const button = document.querySelectorAll<HTMLElement>('.casement-question button')[1];
        button?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: count }));
      }, detail);
    await press(1);
    expect(await page.evaluate(() => window.chat.conversation.getSnapshot().status)).toBe('waiting');
    await press(0);
    await settled(page);
    expect(await calls(page)).toBe(1);
  });

  test.each(['Allow once', 'Always allow'])(
    'sec-W7 presses of a pointer that does not travel answer nothing, though it rests on “%s”',
    async (name) => {
      const page = await chat.open(destroys);
      await say(page, '/delete {}');
      const deny = page.getByRole('button', { name: 'Deny' });
      const place = await page.getByRole('button', { name }).boundingBox();
      await page.mouse.move((place?.x ?? 0) + 12, (place?.y ?? 0) + 12);
      for (let turn = 0; turn < 3; turn += 1) {
        // As soon as the question takes any answer at all.
        await eventually(() => deny.getAttribute('aria-disabled')).toBe('false');
        await page.mouse.down();
        await page.mouse.up();
      }
      expect(await page.evaluate(() => window.chat.conversation.getSnapshot().status)).toBe('waiting');
      await answer(page, 'Allow once');
      await settled(page);
      expect(await calls(page)).toBe(1);
    },
  );

  test('sec-W3 arguments that are cut are said to be, above them, and always waits until all of them was in sight', async () => {
    const page = await chat.open(destroys);
    await say(page, `/delete {"path": "${'word '.repeat(1_000)}SECRETTAIL"}`);
    const question = questionOf(page);
    await question.getByText(/^Only the beginning of [\d,]+ characters is in sight\./).waitFor();
    expect(await question.getByRole('button', { name: 'Always allow' }).count()).toBe(0);
    expect(await question.textContent()).not.toContain('SECRETTAIL');
    await question.getByRole('button', { name: 'Show all' }).click();
    const values = question.locator('.casement-values');
    expect(await values.textContent()).toContain('SECRETTAIL');
    await values.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await question.getByRole('button', { name: 'Always allow' }).waitFor();
  });

  test('a no counts although the question never stands still', async () => {
    const page = await chat.open(destroys);
    await say(page, '/delete {}');
    const allow = page.getByRole('button', { name: 'Allow once' });
    await eventually(() => allow.getAttribute('aria-disabled')).toBe('false');
    await page.evaluate(() => {
      const first = document.querySelector<HTMLElement>('.casement-message');
      let turn = 0;
      const move = (): void => {
        if (first) first.style.paddingTop = `${(turn += 2) % 6}px`;
        requestAnimationFrame(move);
      };
      move();
    });
    await eventually(() => allow.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Deny' }).click({ force: true });
    await settled(page);
    expect(await calls(page)).toBe(0);
  });

  test('the question takes the focus from an empty composer only, and gives it back', async () => {
    const page = await chat.open(destroys);
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('/delete {}');
    await field.press('Enter');
    await questionOf(page).waitFor();
    expect(await isFocused(page, '.casement-question')).toBe(true);
    // Enter on the question itself answers nothing.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Allow once');
    await eventually(() => page.locator(':focus').getAttribute('aria-disabled')).toBe('false');
    await page.keyboard.press('Enter');
    await settled(page);
    expect(await calls(page)).toBe(1);
    expect(await isFocused(page, '.casement-composer textarea')).toBe(true);
  });

  test('who is writing goes on writing', async () => {
    const page = await chat.open(destroys);
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.pressSequentially('half a sent');
    await page.evaluate(() => void window.chat.conversation.send('/delete {}'));
    await questionOf(page).waitFor();
    expect(await isFocused(page, '.casement-composer textarea')).toBe(true);
    expect(await field.inputValue()).toBe('half a sent');
  });

  test('of two questions the second has the focus after the first', async () => {
    const page = await chat.open(destroys);
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('/delete {}\n/erase {}');
    await field.press('Enter');
    await eventually(() => questionOf(page).count()).toBe(2);
    await answer(page, 'Deny');
    await eventually(() => questionOf(page).count()).toBe(1);
    expect(await isFocused(page, '.casement-question')).toBe(true);
    expect(await questionOf(page).textContent()).toContain('Allow erase?');
  });
});

describe('a question that nobody can see', () => {
  const note = (page: Page) => page.getByText('A tool waits for your permission.');

  test('is named above the composer when it was scrolled away', async () => {
    const page = await chat.open({ ...destroys, messages: toManyMessages(30) });
    await say(page, '/delete {}');
    await questionOf(page).waitFor();
    expect(await note(page).count()).toBe(0);
    await page.locator('.casement-scroll').hover();
    await page.mouse.wheel(0, -3000);
    await note(page).waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await eventually(() => note(page).count()).toBe(0);
    expect(await isFocused(page, '.casement-question')).toBe(true);
    await answer(page, 'Deny');
    await settled(page);
    expect(await note(page).count()).toBe(0);
  });

  test('is named over an app that covers the chat, and shown by leaving it', async () => {
    const [files] = destroys.servers ?? [];
    const cover = { name: 'cover', html: toApp('await bridge.initialize();') };
    const page = await chat.open({
      ...destroys,
      servers: [{ name: 'files', tools: [...(files?.tools ?? []), cover] }],
    });
    await say(page, '/cover {}');
    await settled(page);
    await appReaches(page, 'call_1');
    await page.evaluate(() => {
      const { conversation, shell } = window.chat;
      const item = { response_type: 'mcp_app', title: 'Cover', mcp_app_id: 'call_1' } as const;
      shell.show(item, 'fullscreen');
      void conversation.send('/delete {}');
    });
    await note(page).waitFor();
    // Really on top: what is hit there is the note's own button.
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await eventually(() => page.locator('[data-mcp-app-id="call_1"]').getAttribute('data-shown')).toBe(
      'inline',
    );
    expect(await questionOf(page).isVisible()).toBe(true);
    await answer(page, 'Allow once');
    await settled(page);
    expect(await calls(page)).toBe(2);
  });
});

const toolsApp = toApp(`
  document.title = 'Chess board';
  bridge.answers['tools/list'] = () => ({
    tools: [
      { name: 'move', description: 'Moves a piece.', inputSchema: { type: 'object' } },
      { name: 'look', annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } },
    ],
  });
  bridge.answers['tools/call'] = ({ name }) => ({ content: [{ type: 'text', text: 'the app did ' + name }] });
  await bridge.initialize({ capabilities: { tools: {} } });`);

verifies(
  'HOST-096',
  'tools of apps are listed, drawn and asked about with their app, its version and its server',
  async () => {
    const page = await chat.open({
      approve: 'ask',
      servers: [
        { name: 'games', tools: [{ name: 'board', html: toolsApp }, { name: 'move' }] },
        { name: 'other', tools: [{ name: 'move' }] },
      ],
    });
    await say(page, '/board {}');
    await settled(page);
    await appReaches(page, 'call_1');
    const offered = () =>
      page.evaluate(() => window.chat.conversation.getSnapshot().tools.map(({ name }) => name));
    await eventually(offered).toHaveLength(5);
    const name = (await offered()).find((each) => each.startsWith('app_') && each.endsWith('move')) ?? '';

    // In the list: the source of each, those of the app drawn unlike those of servers, clashes named.
    await page.getByRole('button', { name: '5 tools' }).click();
    const list = page.getByRole('region', { name: 'Tools on offer to the model' });
    const entries = list.locator('.casement-tools > li');
    const toText = (text: string | null): string => text?.replace(/\s+/g, ' ') ?? '';
    const rows = await entries.evaluateAll((all) =>
      all.map((entry) => ({
        source: entry.getAttribute('data-source'),
        text: entry.textContent,
        ground: getComputedStyle(entry).backgroundColor,
        mark: entry.querySelector('.casement-mark')?.textContent ?? '',
      })),
    );
    expect(rows.map(({ source, mark }) => [source, mark])).toEqual([
      ['server', ''],
      ['server', ''],
      ['server', ''],
      ['app', 'App'],
      ['app', 'App'],
    ]);
    expect(rows[3]?.ground).not.toBe(rows[0]?.ground);
    expect(toText(rows[3]?.text ?? '')).toContain('of the app Chess board 1.0.0, from games');
    expect(toText(rows[1]?.text ?? '')).toContain('of the server games');
    expect(toText(await list.locator('.casement-clash').textContent())).toMatch(
      /Several tools are called move\..*games__move of the server games.*other__move of the server other/,
    );
    await page.keyboard.press('Escape');
    expect(await list.count()).toBe(0);

    // In the question: app name and version, and the server it is of.
    await say(page, `/${name} {"to": "e4"}`);
    const question = questionOf(page);
    await question.waitFor();
    expect(await question.textContent()).toContain(
      'The model wants to call this tool of the app Chess board 1.0.0, from games.',
    );
    await answer(page, 'Allow once');
    await settled(page);
    const card = page.locator('.casement-tool[data-source="app"]');
    expect(await card.locator('header').textContent()).toContain('of the app Chess board 1.0.0, from games');
    expect(await card.textContent()).toContain('the app did move');
    const ofServer = page.locator('.casement-tool[data-source="server"]');
    const toBorder = (node: Element): string => getComputedStyle(node).borderStyle;
    expect(await card.evaluate(toBorder)).toBe('dashed');
    expect(await ofServer.evaluate(toBorder)).toBe('solid');
  },
);
