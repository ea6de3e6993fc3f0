import { describe, expect, test } from 'vitest';
import { toBoundedJson } from './bounded-json.js';

describe('JSON of bounded length', () => {
  test('is the usual JSON when it fits', () => {
    const value = { a: [1, 'two', { b: null }], empty: {}, none: [], gone: undefined, '"q"': true };
    expect(toBoundedJson(value, 1_000)).toEqual({ text: JSON.stringify(value, null, 2), cut: false });
  });

  test('stops early in a value of any size', () => {
    let reads = 0;
    const large = Array.from({ length: 20_000 }, (_, index) => ({
      index,
      get text() {
        reads += 1;
        return 'x'.repeat(50);
      },
    }));
    const { text, cut } = toBoundedJson({ large }, 5_000);
    expect(reads).toBeLessThan(200);
    expect(cut).toBe(true);
    expect(text).toBe(JSON.stringify({ large: large.slice(0, 200) }, null, 2).slice(0, 5_000));
    expect(toBoundedJson('y'.repeat(1_000_000), 10)).toEqual({ text: `"${'y'.repeat(9)}`, cut: true });
  });

  test('says where a value contains itself', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(toBoundedJson(cycle, 100).text).toContain('contains itself');
  });
});
