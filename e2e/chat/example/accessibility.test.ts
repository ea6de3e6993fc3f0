import { describe, expect, test } from 'vitest';
import { readFaults, readFaultsInBothSchemes } from '../../support/axe.js';
import { eventually } from '../../support/eventually.js';
import { calls, says } from './model-server.js';
import { countTools, openChat, openDemo, useChatHost } from './support.js';

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

/** Each view begins with other colours, so that the page is opened in both. */
const views = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
] as const;

describe.each(views)('in light and in dark colours at $width px', ({ colorScheme, width }) => {
  const view = { colorScheme, viewport: { width, height: 800 } };
  const faults = () => readFaultsInBothSchemes(host.chat.page, { every: true });

  test('thread, tiles, panel and workspace have no fault', async () => {
    host.chat = await openDemo(host.browser, host.example, view);
    const guest = await host.chat.guest();
    await eventually(() => guest.textContent('#mode')).toBe(`inline, ${colorScheme}`);
    expect(await faults()).toEqual([]);
    // The app has heard of the other colours, too.
    const other = colorScheme === 'light' ? 'dark' : 'light';
    await eventually(() => guest.textContent('#mode')).toBe(`inline, ${other}`);
    await host.chat.button('Open Counter (pip)').click();
    await eventually(() => host.chat.page.getByText('Viewing').count()).toBe(1);
    expect(await faults()).toEqual([]);
    await host.chat.button('Close Counter (pip)').evaluate((button: HTMLElement) => button.click());
    await host.chat.button('Open Counter (fullscreen)').click();
    await eventually(async () => (await host.chat.guest(2)).textContent('#mode')).toBe(
      `fullscreen, ${colorScheme}`,
    );
    expect(await faults()).toEqual([]);
    expect(await host.chat.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
  });

  test('a call, a failed one, a question and a failure have no fault', async () => {
    host.model.play(calls('call_1', 'board', '{"title": "Party"}'), says('There it is.'));
    host.chat = await openChat(host.browser, host.example, view);
    await eventually(() => countTools(host.chat)).toBeGreaterThan(0);
    const before = await countTools(host.chat);
    await host.chat.send('A board');
    await eventually(() => host.chat.messages.last().textContent()).toContain('There it is.');
    // The two of the app: the model is asked to call one of them.
    await eventually(() => countTools(host.chat)).toBe(before + 2);
    host.model.play(calls('call_2', 'no_such_tool', '{}'), (answer) => answer.refuse(401, 'No'));
    await host.chat.send('Another');
    await eventually(() => host.chat.failure.getAttribute('data-code')).toBe('model-refused');
    expect(await faults()).toEqual([]);
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
    expect(await faults()).toEqual([]);
  });
});
