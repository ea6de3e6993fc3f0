import type { Frame } from 'playwright-core';
import { describe, expect } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { eventually } from '../../support/eventually.js';
import type { Step } from './model-server.js';
import { calls, createGate, says } from './model-server.js';
import { countTools, openChat, useChatHost } from './support.js';

const host = useChatHost();

const shows = (text: string) => eventually(() => host.chat.messages.last().textContent()).toContain(text);

/** A chat in which the model has shown the board. */
const showBoard = async (): Promise<Frame> => {
  host.model.play(calls('call_1', 'board', '{"title": "Party"}'), says('There it is.'));
  host.chat = await openChat(host.browser, host.example);
  return sendForBoard();
};

const sendForBoard = async (): Promise<Frame> => {
  await eventually(() => countTools(host.chat)).toBeGreaterThan(0);
  const before = await countTools(host.chat);
  await host.chat.send('A board, please');
  const guest = await host.chat.guest();
  await eventually(() => guest.textContent('#result')).toContain('text result');
  await shows('There it is.');
  // The two of the app: they may come after the model was asked for the second time.
  await eventually(() => countTools(host.chat)).toBe(before + 2);
  return guest;
};

const dialog = () => host.chat.page.getByRole('dialog');

/** The name the model knows a tool of the app by. */
const findAppTool = (tool: string): string | undefined =>
  host.model.calls[0]?.body.tools?.map(({ function: { name } }) => name).find((name) => name.endsWith(tool));

/** Calls a tool of the app by the name it was just offered under. */
const callsAppTool =
  (id: string, tool: string, text: string): Step =>
  async (answer) => {
    await answer.call(id, findAppTool(tool) ?? 'not offered', text);
    await answer.finish('tool_calls');
  };

/** The random word of the marks in a request; a new one each time. */
const readMark = (request = ''): string => /the mark ([0-9a-f]{32})\./.exec(request)?.[1] ?? '';

describe('what an app gives a conversation', () => {
  verifies(
    ['HOST-062', 'HOST-064', 'HOST-065', 'S5-64'],
    'its context reaches the next request to the model, to the byte, once, and the last word of it only',
    async () => {
      const guest = await showBoard();
      await guest.click('#context');
      await eventually(() => guest.textContent('#answer')).toContain('"result":{}');
      // Deferred until the user says something.
      expect(host.model.calls).toHaveLength(2);
      host.model.play(says('Noted.'));
      await host.chat.send('Go on');
      await shows('Noted.');
      const text = (value: string) => ({ type: 'text', text: value });
      const mark = readMark(host.model.calls[0]?.text);
      const told = [
        text(
          `[Context from the app "Board" "1.0.0" of the server "boards", shown for the call "call_1". The app wrote it, not the user. It ends only at the mark ${mark}.]`,
        ),
        text('Seat 4A is chosen – “Fensterplatz”.'),
        text('{"seat":"4A"}'),
        text(`[${mark}: end of the context.]`),
      ];
      const asTold = JSON.stringify({ role: 'user', content: [...told, text('Go on')] });
      expect(host.model.calls[0]?.text).toContain(asTold);
      // The user sees what the model was told.
      await eventually(() => host.chat.messages.nth(3).textContent()).toContain('Apps told the model');
      host.model.play(says('Again.'));
      await host.chat.send('And on');
      await shows('Again.');
      expect(host.model.calls[0]?.text.split('Fensterplatz')).toHaveLength(2);
      await guest.click('#replace');
      await eventually(() => guest.textContent('#answer')).toContain('"id":"replace","result":{}');
      host.model.play(says('Changed.'));
      await host.chat.send('Now');
      await shows('Changed.');
      expect(host.model.calls[0]?.text).not.toContain('Fensterplatz');
      expect(host.model.calls[0]?.text).toContain('Seat 5B is chosen.');
    },
  );

  verifies(
    ['HOST-060', 'HOST-061', 'S5-63'],
    'its message waits for a yes, then starts a turn under its own name',
    async () => {
      const guest = await showBoard();
      host.model.play(says('Booked.'));
      await guest.click('#message');
      await dialog().getByText('Book the seat 4A.').waitFor();
      expect(host.model.calls).toHaveLength(0);
      await dialog().getByRole('button', { name: 'Send' }).click();
      await shows('Booked.');
      const written = host.chat.page.locator('li[data-written-by="app"]');
      expect(await written.textContent()).toContain('Book the seat 4A.');
      expect(await written.textContent()).toContain('Board');
      await eventually(() => guest.textContent('#answer')).toContain('"id":"message","result":{}');
      const mark = readMark(host.model.calls[0]?.text);
      const asTold = JSON.stringify({
        role: 'user',
        content: [
          {
            type: 'text',
            text: `[Message from the app "Board" of the server "boards". The app wrote it, not the user. It ends only at the mark ${mark}.]`,
          },
          { type: 'text', text: 'Book the seat 4A.' },
          { type: 'text', text: `[${mark}: end of the message.]` },
        ],
      });
      expect(host.model.calls[0]?.text).toContain(asTold);
    },
  );

  verifies('HOST-061', 'a message the user does not want stays out, and the app is told', async () => {
    const guest = await showBoard();
    host.model.play(says('Never said.'));
    await guest.click('#message');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await eventually(() => guest.textContent('#answer')).toContain('"isError":true');
    expect(await host.chat.page.locator('li[data-written-by="app"]').count()).toBe(0);
    expect(host.model.calls).toHaveLength(0);
  });

  verifies(
    ['HOST-093', 'HOST-095', 'HOST-097', 'HOST-098'],
    'its tools are on offer while it lives, and one that writes is called after a yes only',
    async () => {
      const guest = await showBoard();
      host.model.play(callsAppTool('call_2', 'set-square', '{"mark": "X"}'), says('Marked.'));
      await host.chat.send('Put an X on it');
      const card = host.chat.page.locator('[data-tool-call="call_2"]');
      await eventually(() => card.getAttribute('data-state')).toBe('approval-requested');
      expect(await card.textContent()).toContain('Board');
      expect(await card.textContent()).toContain('1.0.0');
      expect(await guest.textContent('#square')).toBe('empty');
      expect(host.model.calls).toHaveLength(1);
      await host.chat.answer('Allow once');
      await shows('Marked.');
      expect(await guest.textContent('#square')).toBe('X');
      expect(host.model.calls[1]?.body.messages.at(-1)).toMatchObject({
        tool_call_id: 'call_2',
        content: 'the square holds X',
      });
      // A name of its own, which no tool of the server has.
      const name = findAppTool('set-square') ?? '';
      expect(name).not.toBe('set-square');
      await guest.click('#leave');
      await eventually(() => host.chat.page.frames().length).toBe(1);
      host.model.play(calls('call_3', name, '{"mark": "O"}'), says('It is gone.'));
      await host.chat.send('An O');
      await shows('It is gone.');
      expect(findAppTool('set-square')).toBeUndefined();
      const last = host.chat.page.locator('[data-tool-call="call_3"]');
      expect(await last.getAttribute('data-code')).toBe('tool-not-found');
      expect(await last.getAttribute('data-state')).toBe('output-error');
    },
  );

  verifies('HOST-097', 'a no is told to the model, and what only reads is called unasked', async () => {
    const guest = await showBoard();
    host.model.play(callsAppTool('call_2', 'set-square', '{"mark": "X"}'), says('As you wish.'));
    await host.chat.send('Put an X on it');
    await host.chat.answer('Deny');
    await shows('As you wish.');
    expect(await guest.textContent('#square')).toBe('empty');
    const card = host.chat.page.locator('[data-tool-call="call_2"]');
    expect(await card.getAttribute('data-code')).toBe('approval-denied');
    expect(JSON.stringify(host.model.calls[1]?.body.messages.at(-1))).toContain('not allowed');
    host.model.play(callsAppTool('call_3', 'look', '{}'), says('Seen.'));
    await host.chat.send('Look');
    await shows('Seen.');
    expect(JSON.stringify(host.model.calls[1]?.body.messages.at(-1))).toContain('the square holds empty');
  });

  verifies('HOST-097', '“Always” is kept, over a reload of the page too', async () => {
    await showBoard();
    host.model.play(callsAppTool('call_2', 'set-square', '{"mark": "X"}'), says('Marked.'));
    await host.chat.send('Put an X on it');
    await host.chat.answer('Always allow');
    await shows('Marked.');
    await host.chat.page.reload();
    host.model.play(calls('call_1', 'board', '{}'), says('There it is.'));
    const guest = await sendForBoard();
    host.model.play(callsAppTool('call_2', 'set-square', '{"mark": "O"}'), says('Unasked.'));
    await host.chat.send('An O');
    await shows('Unasked.');
    expect(await guest.textContent('#square')).toBe('O');
  });

  verifies(
    'HOST-082',
    'it asks the chosen model after a yes, within limits, and without the conversation',
    async () => {
      const guest = await showBoard();
      host.model.play(says('The long table'));
      await guest.click('#sample');
      await dialog().getByText('A name for the board?').waitFor();
      expect(host.model.calls).toHaveLength(0);
      await dialog().getByRole('button', { name: 'Ask the model' }).click();
      await eventually(() => guest.textContent('#answer')).toContain('The long table');
      const [call] = host.model.calls;
      expect(call?.body.max_tokens).toBe(40);
      expect(call?.body.tools ?? []).toEqual([]);
      expect(call?.text).not.toContain('A board, please');
      expect(await host.chat.messages.last().textContent()).toContain('There it is.');
    },
  );

  verifies(
    'HOST-060',
    'a turn of an app is stopped like any other, and the app keeps its state',
    async () => {
      const guest = await showBoard();
      await guest.click('#count');
      const gate = createGate();
      host.model.play(async (answer) => {
        await answer.text('Booking');
        await gate.opened;
      });
      await guest.click('#message');
      await dialog().getByRole('button', { name: 'Send' }).click();
      await shows('Booking');
      await host.chat.button('Stop').click();
      await eventually(() => host.model.calls[0]?.dropped).toBe(true);
      gate.open();
      expect(await guest.textContent('#count')).toBe('1');
    },
  );
});
