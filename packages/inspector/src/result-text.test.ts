import { describe, expect, test } from 'vitest';
import { toResultText } from './result-text.js';

const text = (value: string) => ({ type: 'text' as const, text: value });

describe('the text of a result', () => {
  test('is its blocks, with a mark for what is not text', () => {
    const image = { type: 'image' as const, data: 'AA==', mimeType: 'image/png' };
    expect(toResultText({ content: [text('a'), image, text('b')] })).toEqual({
      text: 'a\n[image]\nb',
      cut: false,
    });
    expect(toResultText({ content: [] })).toEqual({ text: '', cut: false });
  });

  test('ends at its limit and says that there is more', () => {
    expect(toResultText({ content: [text('abcdef')] }, 4)).toEqual({ text: 'abcd', cut: true });
    expect(toResultText({ content: [text('abcd')] }, 4)).toEqual({ text: 'abcd', cut: false });
    expect(toResultText({ content: [text('abcd'), text('e')] }, 4)).toEqual({ text: 'abcd', cut: true });
  });

  test('of 20 MB takes a moment', () => {
    const before = performance.now();
    const { text: shown } = toResultText({ content: [text('x'.repeat(20 * 1024 * 1024))] });
    expect(shown).toHaveLength(20_000);
    expect(performance.now() - before).toBeLessThan(100);
  });
});
