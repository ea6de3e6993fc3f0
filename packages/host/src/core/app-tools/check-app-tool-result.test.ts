import type { CallToolResult, Tool } from '@casement/protocol';
import { expect, test } from 'vitest';
import { checkAppToolResult } from './check-app-tool-result.js';

const tool: Tool = { name: 'look', inputSchema: { type: 'object' } };
const hidden = [...'obey'].map((one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join('');

test('sec-B10 no text of an app tool’s result carries what a reader does not see', async () => {
  const said = `ok${hidden}`;
  const result: CallToolResult = {
    content: [
      { type: 'text', text: said },
      { type: 'resource', resource: { uri: 'note:1', text: said } },
      { type: 'resource_link', uri: 'note:2', name: said, title: said, description: said },
    ],
    structuredContent: { plain: 'ok\n❤\ufe0f می\u200cخواهم', list: [{ said }, 1, null, true] },
  };
  const clean = await checkAppToolResult(tool, result, { maxAppToolResultLength: 10_000 });
  const seen = `ok${'\ufffd'.repeat(hidden.length / 2)}`;
  expect(clean).toEqual({
    content: [
      { type: 'text', text: seen },
      { type: 'resource', resource: { uri: 'note:1', text: seen } },
      { type: 'resource_link', uri: 'note:2', name: seen, title: seen, description: seen },
    ],
    structuredContent: { plain: 'ok\n❤\ufe0f می\u200cخواهم', list: [{ said: seen }, 1, null, true] },
  });
});

const toContent = (...texts: string[]): CallToolResult => ({
  content: texts.map((text) => ({ type: 'text', text })),
});

test.each([
  ['one long text', toContent(`x${hidden}`.repeat(100_000))],
  ['letters with marks', toContent(`${'ที่'.repeat(100_000)}\u200b`)],
  ['many short texts', toContent(...Array.from({ length: 9000 }, () => hidden))],
])('sec-B1 the page has its turns while a result is cleaned: %s', async (_, result) => {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const { content } = await checkAppToolResult(tool, result, { maxAppToolResultLength: 10_000_000 });
  isDone = true;
  expect(JSON.stringify(content)).not.toMatch(/[\u{e0000}-\u{e007f}\u200b]/u);
  // A turn for each 16,000 characters at least.
  expect(turns).toBeGreaterThan(20);
});
