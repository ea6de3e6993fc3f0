import { expect, test } from 'vitest';
import { createMemoryTransportPair } from '../index.js';

const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 0));

test('messages arrive later, in order and as copies', async () => {
  const [left, right] = createMemoryTransportPair();
  const received: unknown[] = [];
  right.subscribe((data) => received.push(data));
  const params = { list: [1] };
  left.send({ jsonrpc: '2.0', method: 'a', params });
  left.send({ jsonrpc: '2.0', method: 'b' });
  params.list.push(2);
  expect(received).toEqual([]);
  await nextTurn();
  expect(received).toEqual([
    { jsonrpc: '2.0', method: 'a', params: { list: [1] } },
    { jsonrpc: '2.0', method: 'b' },
  ]);
});

test('what cannot be cloned cannot be sent', () => {
  const [left] = createMemoryTransportPair();
  expect(() => left.send({ jsonrpc: '2.0', method: 'a', params: { f: () => 1 } })).toThrow();
});

test('nothing arrives after either end has closed', async () => {
  const [left, right] = createMemoryTransportPair();
  const received: unknown[] = [];
  right.subscribe((data) => received.push(data));
  left.send({ jsonrpc: '2.0', method: 'a' });
  right.close();
  left.send({ jsonrpc: '2.0', method: 'b' });
  await nextTurn();
  expect(received).toEqual([]);
});
