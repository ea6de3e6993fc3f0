import { expect, test } from 'vitest';
import { createLateStore, createListeners, createStore, holdWhile } from './store.js';

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

test('what happens meanwhile is told once, when it is over; the rest as it happens', () => {
  const isBusy = createStore(false);
  const news = createListeners();
  let told = 0;
  const stop = holdWhile(isBusy, news.subscribe)(() => (told += 1));
  news.tell();
  expect(told).toBe(1);
  // Nothing to tell: whoever was told all is not told again.
  isBusy.set(true);
  isBusy.set(false);
  expect(told).toBe(1);
  isBusy.set(true);
  news.tell();
  news.tell();
  expect(told).toBe(1);
  isBusy.set(false);
  expect(told).toBe(2);
  isBusy.set(true);
  news.tell();
  stop();
  isBusy.set(false);
  expect({ told, left: news.count() }).toEqual({ told: 2, left: 0 });
});
