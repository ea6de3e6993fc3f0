import { expect, test } from 'vitest';
import { isLengthWithin } from './message-length.js';

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
