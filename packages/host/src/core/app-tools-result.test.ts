import type { CallToolResult, Tool } from '@casement/protocol';
import { expect, test } from 'vitest';
import { checkAppToolResult } from './app-tools-result.js';

const tool: Tool = { name: 'look', inputSchema: { type: 'object' } };
const hidden = [...'obey'].map((one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join('');

test('sec-B10 no text of an app tool’s result carries what a reader does not see', () => {
  const said = `ok${hidden}`;
  const result: CallToolResult = {
    content: [
      { type: 'text', text: said },
      { type: 'resource', resource: { uri: 'note:1', text: said } },
      { type: 'resource_link', uri: 'note:2', name: said, title: said, description: said },
    ],
    structuredContent: { plain: 'ok\n❤\ufe0f می\u200cخواهم', list: [{ said }, 1, null, true] },
  };
  const clean = checkAppToolResult(tool, result, { maxAppToolResultLength: 10_000 });
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
