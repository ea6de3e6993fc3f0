import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toAddressParts, toExactPieces } from './exact-text.js';

const show = (text: string): string => toExactPieces(text).join('');

test('T18 what is not seen, what turns the text and what ends a line is written out', () => {
  expect(show('a\u202eb\u200bc')).toBe('a\\u{202e}b\\u{200b}c');
  expect(show('a\nb\r\nc\td')).toBe('a\\u{a}b\\u{d}\\u{a}c\\u{9}d');
  expect(show('<b>&amp;</b>')).toBe('<b>&amp;</b>');
});

test('C17 no two texts look the same', () => {
  expect(show('\\u{202e}')).not.toBe(show('\u202e'));
  expect(show('\\u{a}')).not.toBe(show('\n'));
  const sign = fc.constantFrom(...['\\', 'u', '{', '}', 'a', '5', 'c', '\n', '\r', '\t', '\u202e', 'é']);
  const text = fc.string({ unit: sign, maxLength: 12 });
  fc.assert(fc.property(text, text, (one, other) => one === other || show(one) !== show(other)));
});

test('all of a long text is there', () => {
  const text = `${'x'.repeat(9_999)}\u202e`;
  expect(show(text)).toBe(`${'x'.repeat(9_999)}\\u{202e}`);
});

test('an address is taken apart as a request does, whatever stands in it', () => {
  expect(toAddressParts('https://good.example\\@evil.example:8443/mcp?x=1#y')).toEqual({
    before: 'https://',
    host: 'good.example',
    after: '/@evil.example:8443/mcp?x=1#y',
    isRewritten: true,
  });
  expect(toAddressParts('http://127.0.0.1:80/')).toMatchObject({ host: '127.0.0.1', isRewritten: true });
  expect(toAddressParts('https://аpple.com/a')).toMatchObject({
    host: 'xn--pple-43d.com',
    isRewritten: true,
  });
  expect(toAddressParts('https://https@x.example/')).toMatchObject({
    before: 'https://https@',
    host: 'x.example',
  });
  expect(toAddressParts('https://x.example')).toMatchObject({ after: '/', isRewritten: false });
  expect(toAddressParts('nowhere')).toBeUndefined();
});
