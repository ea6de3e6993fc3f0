import { expect, test } from 'vitest';
import { createLateStore } from './store.js';

test('a late value is made once, when it is read, and not at all when it was set before', () => {
  let made = 0;
  const make = (): number => (made += 1);
  const read = createLateStore(make);
  expect(made).toBe(0);
  expect([read.getSnapshot(), read.getSnapshot(), made]).toEqual([1, 1, 1]);
  const told: number[] = [];
  const set = createLateStore(make);
  set.subscribe(() => told.push(set.getSnapshot()));
  for (const value of [7, 7, 8]) set.set(value);
  expect({ told, made }).toEqual({ told: [7, 8], made: 1 });
});
