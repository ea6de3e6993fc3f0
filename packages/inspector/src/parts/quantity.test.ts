import { expect, test } from 'vitest';
import { toByteSize, toDuration } from './quantity.js';

test('figures are said as people say them', () => {
  expect([3.4, 999, 1_500, 12_340, 75_000].map(toDuration)).toEqual([
    '3 ms',
    '999 ms',
    '1.50 s',
    '12.3 s',
    '1 min 15 s',
  ]);
  expect([0, 1_023, 1_536, 20_480, 3_145_728].map(toByteSize)).toEqual([
    '0 B',
    '1023 B',
    '1.5 KB',
    '20 KB',
    '3.0 MB',
  ]);
});
