import { expect, test } from 'vitest';
import { guestOf, say, settled, toApp, useChat } from './support.js';

const chat = useChat();

test('a call of a tool with an app shows the app in the conversation', async () => {
  const html = toApp('await bridge.initialize();');
  const page = await chat.open({ servers: [{ name: 'demo', tools: [{ name: 'show', html }] }] });
  await say(page, '/show {"a": 1}');
  await settled(page);
  await page.screenshot({ path: '/tmp/apps-a.png' });
  expect(await (await guestOf(page, 'call_1')).locator('#shown').textContent()).toBe('guest');
  expect(chat.errors).toEqual([]);
});
