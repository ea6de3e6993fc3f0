import { describe, expect, test } from 'vitest';
import { readFaults } from '../../support/axe.js';
import { eventually } from '../../support/eventually.js';
import { calls, says } from './model-server.js';
import { openChat, openDemo, useChatHost } from './support.js';

const host = useChatHost();

test('the check itself finds text without contrast', async () => {
  host.chat = await openChat(host.browser, host.example);
  await host.chat.page.evaluate(() => {
    const text = document.createElement('p');
    text.textContent = 'hardly there';
    text.style.color = '#eee';
    text.style.background = '#fff';
    document.querySelector('main')?.append(text);
  });
  const faults = (await readFaults(host.chat.page)).map((fault) => fault.split(':')[0]);
  expect(faults).toContain('color-contrast');
});

const views = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [390, 1440].map((width) => ({ colorScheme, width })),
);

describe.each(views)('in $colorScheme at $width px', ({ colorScheme, width }) => {
  const view = { colorScheme, viewport: { width, height: 800 } };

  test('thread, tiles, panel and workspace have no fault', async () => {
    host.chat = await openDemo(host.browser, host.example, view);
    const guest = await host.chat.guest();
    await eventually(() => guest.textContent('#mode')).toBe(`inline, ${colorScheme}`);
    expect(await readFaults(host.chat.page, { every: true })).toEqual([]);
    await host.chat.button('Open Counter (pip)').click();
    await eventually(() => host.chat.page.getByText('Viewing').count()).toBe(1);
    expect(await readFaults(host.chat.page, { every: true })).toEqual([]);
    await host.chat.button('Close Counter (pip)').evaluate((button: HTMLElement) => button.click());
    await host.chat.button('Open Counter (fullscreen)').click();
    await eventually(async () => (await host.chat.guest(2)).textContent('#mode')).toBe(
      `fullscreen, ${colorScheme}`,
    );
    expect(await readFaults(host.chat.page, { every: true })).toEqual([]);
    expect(await host.chat.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
  });

  test('a call, a failed one, a question and a failure have no fault', async () => {
    host.model.play(calls('call_1', 'board', '{"title": "Party"}'), says('There it is.'));
    host.chat = await openChat(host.browser, host.example, view);
    await eventually(() => host.chat.button(/^\d+ tools$/).count()).toBe(1);
    await host.chat.send('A board');
    await eventually(() => host.chat.messages.last().textContent()).toContain('There it is.');
    host.model.play(calls('call_2', 'no_such_tool', '{}'), (answer) => answer.refuse(401, 'No'));
    await host.chat.send('Another');
    await eventually(() => host.chat.failure.getAttribute('data-code')).toBe('model-refused');
    expect(await readFaults(host.chat.page, { every: true })).toEqual([]);
    host.model.play(async (answer, { body }) => {
      const tool = body.tools
        ?.map(({ function: { name } }) => name)
        .find((name) => name.endsWith('set-square'));
      await answer.call('call_3', tool ?? 'not offered', '{"mark": "X"}');
      await answer.finish('tool_calls');
    }, says('Done.'));
    await host.chat.button('Retry').click();
    const allow = host.chat.button('Allow once');
    await allow.waitFor();
    await eventually(() => allow.getAttribute('aria-disabled')).not.toBe('true');
    expect(await readFaults(host.chat.page, { every: true })).toEqual([]);
  });
});
