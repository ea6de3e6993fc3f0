import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUnderWay } from './under-way.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const create = (isActive: boolean) => {
  const hasUserActivation = vi.fn(() => Promise.resolve(isActive));
  return { hasUserActivation, underWay: createUnderWay({ hasUserActivation }) };
};
const forever = (): Promise<never> => new Promise(() => undefined);

test('nobody is asked who wanted a call that is soon over', async () => {
  const { hasUserActivation, underWay } = create(true);
  await underWay.during('tools/call', () => Promise.resolve('done'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(hasUserActivation).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test.each([true, false])('a long call keeps its app only if the user wanted it: %s', async (isActive) => {
  const { hasUserActivation, underWay } = create(isActive);
  void underWay.during('tools/call', forever);
  expect(underWay.holds()).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(hasUserActivation).toHaveBeenCalledOnce();
  expect(underWay.holds()).toBe(isActive);
});

test('a new document waits for nothing and asks nothing', async () => {
  const { hasUserActivation, underWay } = create(true);
  void underWay.during('tools/call', forever);
  underWay.clear();
  expect([underWay.holds(), vi.getTimerCount()]).toEqual([false, 0]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(hasUserActivation).not.toHaveBeenCalled();
});
