import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { eventually } from '../../support/eventually.js';
import { publishedServers } from '../../support/server-commands.js';
import { calls, says } from './model-server.js';
import { guestServer, openChat, useChatHost } from './support.js';

const { basicReact, monitor } = publishedServers;
const host = useChatHost({ clock: basicReact, monitor, boards: guestServer('boards') });

const shows = (text: string) => eventually(() => host.chat.messages.last().textContent()).toContain(text);

/** Published servers do not say what their tools do, so each call of the model is asked about. */
const allowCall = async (): Promise<void> => {
  await host.chat.button('Allow once').waitFor();
  await host.chat.answer('Allow once');
};

verifies(
  ['S5-98'],
  'a published server: the model calls its tool, its app shows the result, calls back and writes in the chat',
  async () => {
    host.model.play(calls('call_1', 'get-time', '{}'), says('It is late.'));
    host.chat = await openChat(host.browser, host.example);
    await host.chat.send('What time is it?');
    await allowCall();
    await shows('It is late.');
    const guest = await host.chat.guest();
    const shownTime = () => guest.locator('code').first().textContent();
    await eventually(shownTime).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(host.model.calls[1]?.body.messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'call_1' });
    const before = await shownTime();
    await guest.getByRole('button', { name: 'Get Server Time' }).click();
    await eventually(shownTime).not.toBe(before);
    host.model.play(says('Heard.'));
    await guest.getByRole('button', { name: 'Send Message' }).click();
    await host.chat.page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await shows('Heard.');
    expect(await host.chat.page.locator('li[data-written-by="app"]').textContent()).toContain('clock');
    expect(host.model.calls[0]?.text).toContain('[Message from the app');
  },
);

verifies(
  ['S5-98'],
  'two published servers in one conversation, each app beside the call it belongs to',
  async () => {
    host.model.play(
      calls('call_1', 'get-time', '{}'),
      calls('call_2', 'get-system-info', '{}'),
      says('Both are there.'),
    );
    host.chat = await openChat(host.browser, host.example);
    await host.chat.send('Time and system');
    // Each call is asked about; the second comes when the first is over.
    await eventually(async () => {
      if ((await host.chat.button('Allow once').count()) > 0) await host.chat.answer('Allow once');
      return host.chat.messages.last().textContent();
    }).toContain('Both are there.');
    const status = (id: string) =>
      host.chat.page.locator(`[data-mcp-app-id="${id}"] [data-app-status]`).getAttribute('data-app-status');
    await eventually(() => status('call_1')).toBe('ready');
    await eventually(() => status('call_2')).toBe('ready');
    const sources = await host.chat.cards.evaluateAll((cards) => cards.map(({ textContent }) => textContent));
    expect(sources[0]).toContain('clock');
    expect(sources[1]).toContain('monitor');
  },
);

verifies(
  ['S5-87', 'S5-08'],
  'an app that cannot be read is an error in its place, with the text of the call',
  async () => {
    host.model.play(calls('call_1', 'missing-resource', '{}'), says('See there.'));
    host.chat = await openChat(host.browser, host.example);
    await host.chat.send('Show it');
    await shows('See there.');
    const error = host.chat.page.locator('[data-app-error]');
    await eventually(() => error.getAttribute('data-app-error')).toBe('resource-missing');
    expect(await error.textContent()).toContain('text result of missing-resource');
    expect(await error.getByRole('button', { name: 'Reload' }).count()).toBe(1);
    host.model.play(says('Of course.'));
    await host.chat.send('Go on?');
    await shows('Of course.');
  },
);
