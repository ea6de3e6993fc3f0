import { expect, test } from 'vitest';
import { createGatewayPort } from './gateway-port.js';
import type { ServerEvent } from './server-port.js';

const listen = () => {
  let tell: (event: unknown) => void = () => undefined;
  const refuse = () => Promise.reject(new Error('Nothing is asked here.'));
  const port = createGatewayPort(
    { get: refuse, post: refuse, events: refuse },
    {
      opened: Promise.resolve(),
      stream: () => undefined,
      subscribe: (listener) => {
        tell = listener;
        return () => undefined;
      },
    },
    { name: 'a', identity: 'id' },
  );
  const heard: ServerEvent['type'][] = [];
  port.subscribe(({ type }) => heard.push(type));
  const become = (status: string, name = 'a'): void => tell({ type: 'server', server: { name, status } });
  return { heard, become };
};

test('a server that is ready again after it was not is told once, another server never', () => {
  const { heard, become } = listen();
  for (const status of ['ready', 'ready', 'connecting', 'connecting', 'ready', 'ready']) become(status);
  expect(heard).toEqual(['reconnected']);
  become('connecting', 'b');
  become('ready', 'b');
  expect(heard).toEqual(['reconnected']);
  become('exited');
  become('ready');
  expect(heard).toEqual(['reconnected', 'lost', 'reconnected']);
});

test('a document is kept for the next read up to 8 MB, and only the four that were read last', async () => {
  const sent: unknown[] = [];
  let bytes = 8 * 1024 * 1024;
  const refuse = () => Promise.reject(new Error('Nothing is asked here.'));
  const port = createGatewayPort(
    {
      get: refuse,
      events: refuse,
      post: async (_path, body) => {
        const { uri, known } = Object(body);
        sent.push(known);
        return { body: { tag: `of ${uri}`, result: { contents: [{ uri, text: '' }] } }, bytes };
      },
    },
    { opened: Promise.resolve(), stream: () => undefined, subscribe: () => () => undefined },
    { name: 'a', identity: 'id' },
  );
  const read = async (uri: string): Promise<unknown> => {
    await port.readResource({ uri }, { caller: 'app' });
    return sent.at(-1);
  };
  expect([await read('ui://0'), await read('ui://0')]).toEqual([undefined, 'of ui://0']);
  for (const uri of ['ui://1', 'ui://2', 'ui://3', 'ui://4']) await read(uri);
  expect([await read('ui://4'), await read('ui://0')]).toEqual(['of ui://4', undefined]);
  bytes += 1;
  await read('ui://0');
  expect(await read('ui://0')).toBeUndefined();
});
