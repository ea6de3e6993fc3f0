import type { CallToolResult } from '@casement/protocol';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { guestOf, say, settled, useChat } from './support.js';
import { eventually } from '../support/eventually.js';

const chat = useChat();

const toResult = (resource: Record<string, unknown>): CallToolResult => ({
  content: [
    { type: 'text', text: 'A poll.' },
    // What a server may send, which the types would not all allow.
    { type: 'resource', resource: { uri: 'ui://demo/poll', mimeType: 'text/html', ...resource } } as never,
  ],
  structuredContent: { answers: 2 },
});

const poll = `<h1>Poll</h1><script>
  addEventListener('message', ({ data }) => {
    if (data.type === 'ui-lifecycle-iframe-render-data') document.title = JSON.stringify(data.payload.renderData.toolOutput);
    if (data.type === 'ui-message-response') document.querySelector('h1').textContent = JSON.stringify(data.payload.response.content);
  });
  window.vote = () => parent.postMessage({ type: 'tool', messageId: 'v', payload: { toolName: 'vote', params: { answer: 1 } } }, '*');
</script>`;

const openWith = async (resource: Record<string, unknown>) => {
  const page = await chat.open({
    servers: [{ name: 'demo', tools: [{ name: 'poll', result: toResult(resource) }, { name: 'vote' }] }],
  });
  await say(page, '/poll {}');
  await settled(page);
  return page;
};

verifies(['S1-04', 'S1-12'], 'an MCP-UI app in a result is an app of its call in the chat', async () => {
  const page = await openWith({ text: poll });
  await page.locator('[data-app-status="ready"]').waitFor();
  const id = await page.locator('[data-mcp-app-id]').getAttribute('data-mcp-app-id');
  const app = await guestOf(page, id ?? '');
  await eventually(() => app.title()).toBe('{"answers":2}');
  await app.evaluate(() => Reflect.get(window, 'vote')());
  await eventually(() => app.locator('h1').textContent()).toContain('answer');
  expect(
    await page.evaluate(() => window.chat.calls.map((call) => Reflect.get(Object(call), 'name'))),
  ).toEqual(['poll', 'vote']);
  expect(await page.evaluate(() => window.chat.reads)).toEqual([]);
  expect(chat.errors).toEqual([]);
});

test.each([
  ['family-unsupported', { mimeType: 'application/vnd.mcp-ui.remote-dom+javascript', text: 'x()' }],
  ['external-refused', { mimeType: 'text/uri-list', text: 'javascript:alert(1)' }],
])('%s is said in the place of the app, and the conversation goes on', async (code, resource) => {
  const page = await openWith(resource);
  await page.locator(`[data-app-error="${code}"]`).waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  await say(page, '/vote {}');
  await settled(page);
});

test('a page elsewhere is asked about in words of its own, and after a no it is not loaded', async () => {
  const page = await openWith({ mimeType: 'text/uri-list', text: 'https://maps.example/' });
  const question = page.getByRole('dialog', { name: 'Show this page inside the conversation?' });
  expect(await question.textContent()).toContain('maps.example');
  await page.keyboard.press('Escape');
  await page.locator('[data-app-error="external-refused"]').waitFor();
  expect(await question.count()).toBe(0);
  expect(await page.locator('iframe').count()).toBe(0);
});
