import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBrowser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { openChat, startChatHost } from './support.js';

test('a page without React has a conversation, and the app of a call in it', async () => {
  const manifest = readFileSync(
    join(import.meta.dirname, '../../../examples/plain-chat/package.json'),
    'utf8',
  );
  expect(manifest).not.toContain('react');
  const [browser, example] = await Promise.all([openBrowser(), startChatHost({ name: 'plain-chat' })]);
  try {
    const chat = await openChat(browser, example);
    await chat.send('/weather_dashboard {"city": "Lisbon"}');
    const guest = await chat.guest();
    await eventually(() => guest.locator('body').innerText()).toContain('Lisbon');
    await eventually(() => chat.page.locator('#thread').innerText()).toContain('output-available');
    expect(chat.errors).toEqual([]);
    await chat.close();
  } finally {
    await example.close();
  }
});
