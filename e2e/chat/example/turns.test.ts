import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { calls, createGate, says } from './model-server.js';
import { modelKey, openChat, useChatHost } from './support.js';

const host = useChatHost();

const lastText = (): string => JSON.stringify(host.model.calls.at(-1)?.body.messages.at(-1)?.content);

describe('a model that streams OpenAI’s protocol in small pieces', () => {
  test('is asked with the key of the gateway, and its words grow on the page', async () => {
    const gate = createGate();
    host.model.play(async (answer) => {
      await answer.text('Grüß', 'e aus 🌍');
      await gate.opened;
      await answer.text(', mein Freund.');
      await answer.finish('stop');
    });
    host.chat = await openChat(host.browser, host.example);
    await host.chat.send('Hello');
    await eventually(() => host.chat.messages.last().textContent()).toContain('Grüße aus 🌍');
    expect(await host.chat.messages.last().textContent()).not.toContain('Freund');
    gate.open();
    await eventually(() => host.chat.messages.last().textContent()).toContain('Grüße aus 🌍, mein Freund.');
    const [call] = host.model.calls;
    expect(call?.url).toBe('/v1/chat/completions');
    expect(call?.authorization).toBe(`Bearer ${modelKey}`);
    expect(call?.body).toMatchObject({ model: 'tiny', stream: true });
    expect(lastText()).toContain('Hello');
    expect(await host.chat.page.content()).not.toContain(modelKey);
  });

  test('paints an app with the arguments it is still writing, then the call is made and answered', async () => {
    const half = createGate();
    host.model.play(async (answer) => {
      await answer.text('I set up the board.');
      await answer.call('call_1', 'board', '{"title": "Par', 'ty", "gue');
      await half.opened;
      await answer.more('sts": ["Ada", "Gr', 'ace"]}');
      await answer.finish('tool_calls');
    }, says('The board is there.'));
    host.chat = await openChat(host.browser, host.example);
    await host.chat.send('A board for the party, please');
    const guest = await host.chat.guest();
    // Half a key is left out; what is there is shown while the model goes on.
    await eventually(() => guest.textContent('#partial')).toContain('{"title":"Party"}');
    expect(await guest.textContent('#input')).toBe('');
    expect(await host.chat.cards.first().getAttribute('data-state')).toBe('input-streaming');
    expect(host.model.calls).toHaveLength(1);
    half.open();
    await eventually(() => guest.textContent('#input')).toBe('{"title":"Party","guests":["Ada","Grace"]}');
    await eventually(() => guest.textContent('#result')).toContain('text result of board');
    await eventually(() => host.chat.messages.last().textContent()).toContain('The board is there.');
    expect(await host.chat.cards.first().getAttribute('data-state')).toBe('output-available');
    const partials: unknown[] = JSON.parse((await guest.textContent('#partial')) ?? '[]');
    expect(partials.at(-1)).toMatchObject({ title: 'Party' });
    expect(host.model.calls[1]?.body.messages.at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'call_1',
      content: 'text result of board',
    });
  });

  test('goes round the loop: two calls at once, their results, another call, the answer', async () => {
    host.model.play(
      async (answer) => {
        await answer.call('call_a', 'both', '{"n":', ' 1}');
        await answer.call('call_b', 'both', '{"n": 2}');
        await answer.finish('tool_calls');
      },
      calls('call_c', 'both', '{"n": 3}'),
      says('Three calls.'),
    );
    host.chat = await openChat(host.browser, host.example);
    await host.chat.send('Call it three times');
    await eventually(() => host.chat.messages.last().textContent()).toContain('Three calls.');
    expect(await host.chat.cards.count()).toBe(3);
    const { messages } = host.model.calls[2]?.body ?? { messages: [] };
    const results = messages.filter(({ role }) => role === 'tool');
    expect(results.map(({ tool_call_id, content }) => [tool_call_id, content])).toEqual([
      ['call_a', 'both: {"n":1}'],
      ['call_b', 'both: {"n":2}'],
      ['call_c', 'both: {"n":3}'],
    ]);
    const offered = host.model.calls[0]?.body.tools?.map(({ function: { name } }) => name) ?? [];
    expect(offered).toContain('both');
    expect(offered).not.toContain('app-only');
  });

  test('hears of it when the user stops it, and the conversation goes on after that', async () => {
    host.model.play(async (answer) => {
      await answer.text('An endless');
    }, says('Back again.'));
    host.chat = await openChat(host.browser, host.example);
    await host.chat.send('Talk');
    await eventually(() => host.chat.messages.last().textContent()).toContain('An endless');
    await host.chat.button('Stop').click();
    await eventually(() => host.model.calls[0]?.dropped).toBe(true);
    await host.chat.button('Send').waitFor();
    await host.chat.send('And now?');
    await eventually(() => host.chat.messages.last().textContent()).toContain('Back again.');
    expect(host.model.calls[1]?.text).toContain('An endless');
    expect(await host.chat.failure.count()).toBe(0);
  });
});
