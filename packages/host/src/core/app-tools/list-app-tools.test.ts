import type { Tool } from '@casement/protocol';
import { expect, test } from 'vitest';
import { listAppTools } from './list-app-tools.js';

test('sec-B10 what an app says of its tools carries nothing that a reader does not see', async () => {
  const hidden = String.fromCodePoint(0xe006f, 0xe0062);
  const said = `Looks.${hidden}`;
  const seen = 'Looks.\ufffd\ufffd';
  const toTool = (text: string): Tool => ({
    name: `look${hidden}`,
    title: text,
    description: text,
    inputSchema: { type: 'object', properties: { at: { type: 'string', description: text } } },
  });
  const tools = await listAppTools(
    // The list is all that is asked for, and its answer is of this form.
    { request: (async () => ({ tools: [toTool(said)] })) as never, addFinding: () => undefined },
    { maxAppTools: 5, appToolMs: 1000 },
    new AbortController().signal,
  );
  expect(tools).toEqual([toTool(seen)]);
});
