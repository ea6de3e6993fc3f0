import { describe, expect, test } from 'vitest';
import { toResultText } from './result-panel.js';

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
});
