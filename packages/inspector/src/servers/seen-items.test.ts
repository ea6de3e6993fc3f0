import type { ServerPort } from '@casement/protocol/ports';
import { expect, test } from 'vitest';
import { createSeenItems } from './seen-items.js';

const toPort = (read: (uri: string) => object): ServerPort => ({
  name: 'a',
  identity: 'a',
  listTools: async () => [],
  callTool: async () => ({ content: [] }),
  listResources: async () => [],
  subscribe: () => () => undefined,
  // Items are read as they come.
  readResource: async ({ uri }) =>
    ({ contents: [read(uri)] }) as Awaited<ReturnType<ServerPort['readResource']>>,
});

const read = (port: ServerPort, uri: string) => port.readResource({ uri }, { caller: 'user' });

test('what stands beside the text of a resource is known once it was read, and the answer is as it was', async () => {
  const given = { mimeType: 'text/html', text: '<p>', _meta: { csp: {} } };
  const { port, peek } = createSeenItems(toPort((uri) => ({ uri, ...given })));
  expect(peek('ui://a')).toBeUndefined();
  expect(await read(port, 'ui://a')).toEqual({ contents: [{ uri: 'ui://a', ...given }] });
  expect(peek('ui://a')).toEqual({ uri: 'ui://a', mimeType: 'text/html', _meta: { csp: {} } });
});

test('two hundred are known at most, and what is no object is none', async () => {
  const { port, peek } = createSeenItems(toPort((uri) => ({ uri })));
  for (let index = 0; index <= 200; index += 1) await read(port, `ui://${index}`);
  expect([peek('ui://0'), peek('ui://200')]).toEqual([undefined, { uri: 'ui://200' }]);
  const odd = createSeenItems(toPort(() => null as unknown as object)); // as no parsed answer is
  await read(odd.port, 'ui://a').catch(() => undefined);
  expect(odd.peek('ui://a')).toBeUndefined();
});
