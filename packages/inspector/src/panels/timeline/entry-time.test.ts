import { expect, test } from 'vitest';
import { toClock, toRelative } from './entry-time.js';

test('the time of an entry is said since the first one, and by the clock', () => {
  expect([1_000, 2_234, 62_005].map((t) => toRelative(t, 1_000))).toEqual(['+0.000', '+1.234', '+1:01.005']);
  expect(toClock(Date.UTC(2026, 0, 1, 0, 0, 7, 45))).toMatch(/^\d\d:\d\d:07\.045$/);
});
