import { expect, test } from 'vitest';
import { createTokenBucket, isLengthWithin, readGuestMessage } from './relay.js';

const unfolding = (levels: number): unknown => {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level += 1) value = { left: value, right: value };
  return value;
};

test('a value whose JSON text is short passes', () => {
  for (const value of [null, 1, 'text', [1, [2]], { a: { b: ['c'] } }, undefined]) {
    expect(isLengthWithin(value, 100)).toBe(true);
  }
});

test('long strings, long keys and wide lists are over the limit', () => {
  expect(isLengthWithin('x'.repeat(101), 100)).toBe(false);
  expect(isLengthWithin({ ['k'.repeat(101)]: 1 }, 100)).toBe(false);
  expect(
    isLengthWithin(
      Array.from({ length: 101 }, () => 0),
      100,
    ),
  ).toBe(false);
});

test('a small graph of shared references that unfolds without end is over the limit, and so is a cycle', () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  expect(isLengthWithin(unfolding(60), 4 * 1024 * 1024)).toBe(false);
  expect(isLengthWithin(cycle, 1000)).toBe(false);
});

test('only JSON-RPC passes, rebuilt from its text', () => {
  const message = { jsonrpc: '2.0', method: 'ping', params: { at: new Date(0), gone: undefined } };
  expect(readGuestMessage(message)).toEqual({
    message: { jsonrpc: '2.0', method: 'ping', params: { at: '1970-01-01T00:00:00.000Z' } },
    length: JSON.stringify(message).length,
  });
  for (const data of [undefined, null, 7, 'ping', [], {}, { method: 'ping' }, { jsonrpc: '2.0' }, 1n])
    expect(readGuestMessage(data)).toMatchObject({ refused: 'not-json-rpc' });
  const long = { jsonrpc: '2.0', method: 'x'.repeat(4 * 1024 * 1024) };
  expect(readGuestMessage(long)).toEqual({ refused: 'too-large', data: long });
});

test('a burst of a thousand tokens, then 250 a second', () => {
  let now = 0;
  const bucket = createTokenBucket(() => now);
  expect(bucket.take(1000)).toBe(true);
  expect(bucket.take(1)).toBe(false);
  now = 1000;
  expect(bucket.take(251)).toBe(false);
  expect(bucket.take(250)).toBe(true);
  now = 1_000_000;
  expect(bucket.take(1001)).toBe(false);
  expect(bucket.take(1000)).toBe(true);
});
