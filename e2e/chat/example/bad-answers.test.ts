import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { calls, createGate, says, startModelServer } from './model-server.js';
import { modelKey, openChat, restartServer, startChatHost, useChatHost } from './support.js';

const host = useChatHost();

const begin = async (text: string): Promise<void> => {
  host.chat = await openChat(host.browser, host.example);
  await host.chat.send(text);
};

const codeOf = (index: number): Promise<string | null> =>
  host.chat.cards.nth(index).getAttribute('data-code');

const shows = (text: string) => eventually(() => host.chat.messages.last().textContent()).toContain(text);

/** The failure on the screen: its name, its words and a way on. */
const fails = async (code: string, ...words: string[]): Promise<void> => {
  await eventually(() => host.chat.failure.getAttribute('data-code')).toBe(code);
  for (const word of words) expect(await host.chat.failure.textContent()).toContain(word);
};

const retry = async (): Promise<void> => {
  await host.chat.button('Retry').click();
  await eventually(() => host.chat.failure.count()).toBe(0);
};

describe('what a model does wrong is named, and the conversation stays whole', () => {
  test('arguments that are no JSON: the call is not made, the model is told and tries again', async () => {
    host.model.play(
      calls('call_1', 'both', '{"n": 1', ', oops'),
      calls('call_2', 'both', '{"n": 2}'),
      says('Second try.'),
    );
    await begin('Call both');
    await shows('Second try.');
    expect([await codeOf(0), await codeOf(1)]).toEqual(['input-malformed', null]);
    expect(await host.chat.cards.first().textContent()).toContain('not valid JSON');
    const { messages } = host.model.calls[1]?.body ?? { messages: [] };
    expect(messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'call_1' });
    expect(JSON.stringify(messages.at(-1))).toContain('not valid JSON');
    expect(await host.chat.failure.count()).toBe(0);
  });

  test('a tool that does not exist', async () => {
    host.model.play(calls('call_1', 'no_such_tool', '{}'), says('I was wrong.'));
    await begin('Call something');
    await shows('I was wrong.');
    expect(await codeOf(0)).toBe('tool-not-found');
    expect(JSON.stringify(host.model.calls[1]?.body.messages.at(-1))).toContain('no tool named');
  });

  test('a tool that fails', async () => {
    host.model.play(calls('call_1', 'answers-an-error', '{}'), says('It said no.'));
    await begin('Call it');
    await shows('It said no.');
    expect(await host.chat.cards.first().getAttribute('data-state')).toBe('output-error');
    expect(JSON.stringify(host.model.calls[1]?.body.messages.at(-1))).toContain('the tool itself says no');
  });

  test('calls without an end are stopped after ten steps; Retry lets it go on', async () => {
    host.model.play(calls('call_1', 'both', '{"n": 1}'));
    await begin('Never stop');
    await fails('step-limit', '10 times');
    expect(host.model.calls).toHaveLength(10);
    expect(await host.chat.cards.count()).toBe(10);
    host.model.play(says('Enough.'));
    await retry();
    await shows('Enough.');
    expect(await host.chat.cards.count()).toBe(10);
    expect(host.model.calls[0]?.body.messages.filter(({ role }) => role === 'tool')).toHaveLength(10);
  });

  test('an answer that breaks off half-way in its text; Retry asks for it again', async () => {
    host.model.play(says('First answer.'), async (answer) => {
      await answer.text('Half an ans');
      answer.cut();
    });
    await begin('One');
    await shows('First answer.');
    await host.chat.send('Two');
    await fails('model-failed', 'broke off');
    expect(await host.chat.page.locator('main').textContent()).toContain('First answer.');
    host.model.play(says('A whole answer.'));
    await retry();
    await shows('A whole answer.');
    expect(await host.chat.page.locator('main').textContent()).not.toContain('Half an ans');
    const [call] = host.model.calls;
    expect(call?.text).not.toContain('Half an ans');
    expect(call?.body.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
  });

  test('an answer that breaks off in the arguments: the app is told that nothing comes, the call is never made', async () => {
    const painted = createGate();
    host.model.play(async (answer) => {
      await answer.call('call_1', 'board', '{"title": "Half"', ', "gue');
      await painted.opened;
      answer.cut();
    });
    await begin('A board');
    const guest = await host.chat.guest();
    await eventually(() => guest.textContent('#partial')).toContain('Half');
    painted.open();
    await fails('model-failed', 'broke off');
    await eventually(() => guest.textContent('#cancelled')).not.toBe('');
    expect(await guest.textContent('#input')).toBe('');
    expect(await host.chat.cards.first().getAttribute('data-state')).toBe('cancelled');
    host.model.play(calls('call_1', 'board', '{"title": "Whole"}'), says('Done.'));
    await retry();
    await shows('Done.');
    // The app of the call that was never made leaves first: it has a few seconds to say goodbye.
    await eventually(() => guest.isDetached()).toBe(true);
    const again = await host.chat.guest();
    await eventually(() => again.textContent('#input')).toBe('{"title":"Whole"}');
    expect(await host.chat.cards.count()).toBe(1);
  });

  test('a key that is refused is named without the key; with one that is taken, Retry works', async () => {
    host.model.play((answer) => answer.refuse(401, `Incorrect API key provided: ${modelKey}`));
    await begin('Hello');
    await fails('model-refused', 'refused the key', '401');
    expect(await host.chat.page.content()).not.toContain(modelKey);
    host.model.play(says('Welcome.'));
    await retry();
    await shows('Welcome.');
    expect(host.model.calls[0]?.body.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  test('a provider that has no time', async () => {
    host.model.play((answer) => answer.refuse(429, 'Slow down'));
    await begin('Hello');
    await fails('model-failed', 'Slow down');
    host.model.play(says('Now.'));
    await retry();
    await shows('Now.');
  });
});

describe('what ends in the middle', () => {
  test('an MCP server that ends during a call is named; started again, its tools are back', async () => {
    host.model.play(calls('call_1', 'crashes', '{}'), says('The server is gone.'));
    await begin('Crash');
    await shows('The server is gone.');
    expect(await codeOf(0)).toBe('server-exited');
    // What it said is known; the next turn goes without its tools.
    host.model.play(says('Without tools.'));
    await host.chat.send('And now?');
    await shows('Without tools.');
    await eventually(() => host.chat.page.locator('.casement-problems').textContent()).toContain('boards');
    expect(host.model.calls[0]?.body.tools ?? []).toEqual([]);
    await restartServer(host.example, 'boards');
    host.model.play(calls('call_2', 'both', '{"n": 1}'), says('It is back.'));
    await host.chat.send('Again');
    await shows('It is back.');
    await eventually(() => host.chat.page.locator('.casement-problems li').count()).toBe(0);
    expect(await host.chat.cards.nth(1).getAttribute('data-state')).toBe('output-available');
  });

  test('a gateway that is gone', async () => {
    const own = await startChatHost({ modelUrl: host.model.url });
    try {
      host.model.play(says('Hello.'));
      host.chat = await openChat(host.browser, own);
      await host.chat.send('Hello');
      await shows('Hello.');
      await own.close();
      await host.chat.send('Still there?');
      await fails('server-unreachable', 'cannot be reached');
      expect(await host.chat.page.locator('main').textContent()).toContain('Hello.');
    } finally {
      await own.close();
    }
  });
});

test('a model that is gone is named, and answers after it came back', async () => {
  const port = Number(new URL(host.model.url).port);
  await host.model.close();
  await begin('Hello');
  await fails('model-unreachable', 'could not be reached');
  host.model = await startModelServer(port);
  host.model.play(says('Here again.'));
  await retry();
  await shows('Here again.');
});
