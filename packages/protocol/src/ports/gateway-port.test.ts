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
