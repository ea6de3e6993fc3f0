import { createStoredApprovals } from '@casement/react/chat';
import { expect, test, vi } from 'vitest';
import { createRememberedApprovals } from './remembered-approvals.js';

const createStorage = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
};
const key = { kind: 'tool', server: 'id', scope: 'buy' } as const;

test('what is settled is told, kept and taken back, each setting by itself', () => {
  const storage = createStorage();
  const approvals = createRememberedApprovals(createStoredApprovals(storage), () => undefined);
  const listener = vi.fn();
  approvals.subscribe(listener);
  approvals.memory.set({ ...key, definition: 'as it was' }, 'always');
  approvals.memory.set(key, 'never');
  expect(listener).toHaveBeenCalledTimes(2);
  const again = createRememberedApprovals(createStoredApprovals(storage), () => undefined);
  expect(again.get().map(({ setting }) => setting)).toEqual(['always', 'never']);
  const [always] = again.get();
  if (always) again.takeBack(always);
  expect(again.get()).toEqual([{ ...key, setting: 'never' }]);
  expect(again.memory.get(key)).toBe('never');
});

test('what another tab took back is seen here', () => {
  const storage = createStorage();
  let tell = (): void => undefined;
  const here = createRememberedApprovals(createStoredApprovals(storage), (listener) => {
    tell = listener;
  });
  here.memory.set(key, 'always');
  createStoredApprovals(storage).forget();
  tell();
  expect(here.get()).toEqual([]);
});
