import { LINEAR_GROWTH, measureGrowth } from '../../../../test/count-operations.js';
import { describe, expect, test } from 'vitest';
import { toReadableJson } from './readable-json.js';

const nest = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = { a: value };
  return value;
};

describe('JSON for people', () => {
  test('is indented, whatever is in its strings', () => {
    const value = { a: [1, 'two', { b: null }], empty: {}, none: [], 'a "quoted\\" key': '],}{[\\' };
    expect(toReadableJson(value)).toBe(JSON.stringify(value, null, 2));
    expect(toReadableJson(undefined)).toBe('undefined');
    expect(toReadableJson('"\\"')).toBe('"\\"\\\\\\""');
  });

  test('sec-B1 indentation never outgrows what it indents', () => {
    const value = Array.from({ length: 40 }, () => nest(1000));
    const plain = JSON.stringify(value);
    expect(toReadableJson(value)).toBe(plain);
    const wide = { list: Array.from({ length: 100_000 }, () => 0) };
    expect(toReadableJson(wide).length).toBeLessThan(4.1 * JSON.stringify(wide).length);
    expect(toReadableJson(nest(30))).toBe(JSON.stringify(nest(30), null, 2));
  });

  test.each([['nested'], ['backslashes'], ['quotes'], ['commas']])(
    'sec-B1 twice the value costs twice the work: %s',
    (shape) => {
      const make: Record<string, (size: number) => unknown> = {
        nested: (size) => nest(Math.min(size, 1000)),
        backslashes: (size) => '\\'.repeat(size * 10),
        quotes: (size) => '"'.repeat(size * 10),
        commas: (size) => Array.from({ length: size }, () => [0, '"']),
      };
      const growth = measureGrowth({
        input: (size) => make[shape]?.(size),
        run: (value) => toReadableJson(value),
        size: 400,
      });
      expect(growth).toBeLessThan(LINEAR_GROWTH);
    },
  );
});
