import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import type { ModelServer } from './model-server.js';
import { calls, createGate, says, startModelServer } from './model-server.js';
import type { ChatPage, RunningExample } from './support.js';
import { guestServer, modelKey, openChat, restartServer, startChatHost } from './support.js';

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

const begin = async (text: string): Promise<void> => {
  chat = await openChat(browser, example);
  await chat.send(text);
};

const codeOf = (index: number): Promise<string | null> => chat.cards.nth(index).getAttribute('data-code');

const shows = (text: string) => eventually(() => chat.messages.last().textContent()).toContain(text);

/** The failure on the screen: its name, its words and a way on. */
const fails = async (code: string, ...words: string[]): Promise<void> => {
  await eventually(() => chat.failure.getAttribute('data-code')).toBe(code);
  for (const word of words) expect(await chat.failure.textContent()).toContain(word);
};

const retry = async (): Promise<void> => {
  await chat.button('Retry').click();
  await eventually(() => chat.failure.count()).toBe(0);
};

describe('what a model does wrong is named, and the conversation stays whole', () => {
  test('arguments that are no JSON: the call is not made, the model is told and tries again', async () => {
    model.play(
      calls('call_1', 'both', '{"n": 1', ', oops'),
      calls('call_2', 'both', '{"n": 2}'),
      says('Second try.'),
    );
    await begin('Call both');
    await shows('Second try.');
    expect([await codeOf(0), await codeOf(1)]).toEqual(['input-malformed', null]);
    expect(await chat.cards.first().textContent()).toContain('not valid JSON');
    const { messages } = model.calls[1]?.body ?? { messages: [] };
    expect(messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'call_1' });
    expect(JSON.stringify(messages.at(-1))).toContain('not valid JSON');
    expect(await chat.failure.count()).toBe(0);
  });

  test('a tool that does not exist', async () => {
    model.play(calls('call_1', 'no_such_tool', '{}'), says('I was wrong.'));
    await begin('Call something');
    await shows('I was wrong.');
    expect(await codeOf(0)).toBe('tool-not-found');
    expect(JSON.stringify(model.calls[1]?.body.messages.at(-1))).toContain('no tool named');
  });

  test('a tool that fails', async () => {
    model.play(calls('call_1', 'answers-an-error', '{}'), says('It said no.'));
    await begin('Call it');
    await shows('It said no.');
    expect(await chat.cards.first().getAttribute('data-state')).toBe('output-error');
    expect(JSON.stringify(model.calls[1]?.body.messages.at(-1))).toContain('the tool itself says no');
  });

  test('calls without an end are stopped after ten steps; Retry lets it go on', async () => {
    model.play(calls('call_1', 'both', '{"n": 1}'));
    await begin('Never stop');
    await fails('step-limit', '10 times');
    expect(model.calls).toHaveLength(10);
    expect(await chat.cards.count()).toBe(10);
    model.play(says('Enough.'));
    await retry();
    await shows('Enough.');
    expect(await chat.cards.count()).toBe(10);
    expect(model.calls[0]?.body.messages.filter(({ role }) => role === 'tool')).toHaveLength(10);
  });

  test('an answer that breaks off half-way in its text; Retry asks for it again', async () => {
    model.play(says('First answer.'), async (answer) => {
      await answer.text('Half an ans');
      answer.cut();
    });
    await begin('One');
    await shows('First answer.');
    await chat.send('Two');
    await fails('model-failed', 'broke off');
    expect(await chat.page.locator('main').textContent()).toContain('First answer.');
    model.play(says('A whole answer.'));
    await retry();
    await shows('A whole answer.');
    expect(await chat.page.locator('main').textContent()).not.toContain('Half an ans');
    const [call] = model.calls;
    expect(call?.text).not.toContain('Half an ans');
    expect(call?.body.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
  });

  test('an answer that breaks off in the arguments: the app is told that nothing comes, the call is never made', async () => {
    const painted = createGate();
    model.play(async (answer) => {
      await answer.call('call_1', 'board', '{"title": "Half"', ', "gue');
      await painted.opened;
      answer.cut();
    });
    await begin('A board');
    const guest = await chat.guest();
    await eventually(() => guest.textContent('#partial')).toContain('Half');
    painted.open();
    await fails('model-failed', 'broke off');
    await eventually(() => guest.textContent('#cancelled')).not.toBe('');
    expect(await guest.textContent('#input')).toBe('');
    expect(await chat.cards.first().getAttribute('data-state')).toBe('cancelled');
    model.play(calls('call_1', 'board', '{"title": "Whole"}'), says('Done.'));
    await retry();
    await shows('Done.');
    const again = await chat.guest();
    await eventually(() => again.textContent('#input')).toBe('{"title":"Whole"}');
    expect(await chat.cards.count()).toBe(1);
  });

  test('a key that is refused is named without the key; with one that is taken, Retry works', async () => {
    model.play((answer) => answer.refuse(401, `Incorrect API key provided: ${modelKey}`));
    await begin('Hello');
    await fails('model-refused', 'refused the key', '401');
    expect(await chat.page.content()).not.toContain(modelKey);
    model.play(says('Welcome.'));
    await retry();
    await shows('Welcome.');
    expect(model.calls[0]?.body.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  test('a provider that has no time', async () => {
    model.play((answer) => answer.refuse(429, 'Slow down'));
    await begin('Hello');
    await fails('model-failed', 'Slow down');
    model.play(says('Now.'));
    await retry();
    await shows('Now.');
  });
});

describe('what ends in the middle', () => {
  test('an MCP server that ends during a call is named; started again, its tools are back', async () => {
    model.play(calls('call_1', 'crashes', '{}'), says('The server is gone.'));
    await begin('Crash');
    await shows('The server is gone.');
    expect(await codeOf(0)).toBe('server-exited');
    // What it said is known; the next turn goes without its tools.
    model.play(says('Without tools.'));
    await chat.send('And now?');
    await shows('Without tools.');
    await eventually(() => chat.page.locator('.casement-problems').textContent()).toContain('boards');
    expect(model.calls[0]?.body.tools ?? []).toEqual([]);
    await restartServer(example, 'boards');
    model.play(calls('call_2', 'both', '{"n": 1}'), says('It is back.'));
    await chat.send('Again');
    await shows('It is back.');
    await eventually(() => chat.page.locator('.casement-problems li').count()).toBe(0);
    expect(await chat.cards.nth(1).getAttribute('data-state')).toBe('output-available');
  });

  test('a gateway that is gone', async () => {
    const own = await startChatHost({ modelUrl: model.url });
    try {
      model.play(says('Hello.'));
      chat = await openChat(browser, own);
      await chat.send('Hello');
      await shows('Hello.');
      await own.close();
      await chat.send('Still there?');
      await fails('server-unreachable', 'cannot be reached');
      expect(await chat.page.locator('main').textContent()).toContain('Hello.');
    } finally {
      await own.close();
    }
  });
});

test('a model that is gone is named, and answers after it came back', async () => {
  const port = Number(new URL(model.url).port);
  await model.close();
  await begin('Hello');
  await fails('model-unreachable', 'could not be reached');
  model = await startModelServer(port);
  model.play(says('Here again.'));
  await retry();
  await shows('Here again.');
});
