import { describe, expect, test } from 'vitest';
import { toPrintable, toPrintableJson } from './printable-text.js';

describe('foreign text', () => {
  test('loses terminal escapes, control and direction characters but keeps its lines', () => {
    expect(toPrintable('a\u001b[31mb\u0007\u202ec\r\nd\te')).toBe('a\ufffdb\ufffd\ufffdc\nd\te');
  });

  test('is cut with a note of how much is missing', () => {
    expect(toPrintable('x'.repeat(12), 10)).toBe(`${'x'.repeat(10)}… (2 more characters)`);
  });

  test('is shown as JSON even when it has a cycle', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(toPrintableJson(cycle)).toBe('[object Object]');
    expect(toPrintableJson({ a: '\u202e' })).toBe('{\n  "a": "\ufffd"\n}');
  });
});
