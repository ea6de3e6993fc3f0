import { describe, expect, test } from 'vitest';
import { toPrintable, toPrintableJson } from './printable-text.js';

describe('foreign text', () => {
  test('loses terminal escapes, control and direction characters but keeps its lines', () => {
    expect(toPrintable('a\u001b[31mb\u0007\u202ec\r\nd\te')).toBe('a\ufffdb\ufffd\ufffdc\nd\te');
  });

  test('is cut with a note of how much is missing', () => {
    expect(toPrintable('x'.repeat(12), 10)).toBe(`${'x'.repeat(10)}… (2 more characters)`);
  });

  test('is shown as JSON without its control characters', () => {
    expect(toPrintableJson({ a: '\u202e' })).toBe('{\n  "a": "\ufffd"\n}');
    expect(toPrintableJson({ a: 'x'.repeat(50) }, 11)).toBe('{\n  "a": "x…');
  });
});
