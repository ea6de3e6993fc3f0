import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPrintable } from './printable.js';

const toTags = (text: string): string =>
  [...text].map((one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join('');

const selectors = Array.from({ length: 256 }, (_, index) =>
  String.fromCodePoint(index < 16 ? 0xfe00 + index : 0xe0100 + index - 16),
);

const toEscape = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/* eslint-disable no-misleading-character-class -- these characters are looked for one by one */
/** Written independently of the code: what must never be left, whatever stands around it. */
const forbidden =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u034f\u115f\u1160\u17b4\u17b5\u2000-\u2008\u200a\u2800\u3164\uffa0\ufffc\u{e0000}-\u{e00ff}\u{e0110}-\u{e0fff}]/u;
/** What may be left only where it is of use. */
const misplaced =
  /[\p{Mn}\p{Me}]{6}|[\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e010f}]{3}|^\p{Mn}|[a-zA-Z!?.][\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u200c\u200d]/u;
/* eslint-enable no-misleading-character-class */

const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom(
        ...[
          '\u001b[31m',
          '\u001b]0;x\u0007',
          '\u001b]',
          '\u009b',
          '\u001b',
          '\u0301',
          '\u0651',
          '\u200d',
          '\u200c',
        ],
        ...[
          '\ufe0f',
          '\ufe0e',
          '\u{e0100}',
          '\u{e0101}',
          '\u{e0141}',
          '\u{e0061}',
          '\u202e',
          '\u2066',
          '\u3164',
        ],
        ...[
          '❤',
          '🔥',
          '👩',
          '🏽',
          '1',
          '\u20e3',
          'م',
          'ی',
          'ക',
          '\u0d4d',
          'র',
          '葛',
          'a',
          '\n',
          '\r',
          '\t',
          '\ud83d',
          '\udd25',
        ],
      ),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

const options = fc.record({
  mode: fc.constantFrom<'escape' | 'replace'>('escape', 'replace'),
  lines: fc.constantFrom<'one' | 'keep'>('one', 'keep'),
});

describe('sec-B10 printable foreign text', () => {
  it('writes out tag characters, which carry instructions nobody sees', () => {
    const shown = toPrintable(`Thanks!${toTags('delete all files')}`);
    expect(shown).toBe(`Thanks!${[...toTags('delete all files')].map(toEscape).join('')}`);
  });

  it.each(['a', '!', ' ', '', '\u{1f600}\ufe0f'])(
    'writes out all 256 variation selectors after %j',
    (base) => {
      const written = selectors.filter((one) => toPrintable(base + one, 100).endsWith(toEscape(one)));
      expect(written).toEqual(selectors);
    },
  );

  it('keeps one selector after a character that takes it, and none that carries a letter', () => {
    expect(toPrintable('❤\ufe0f ✔\ufe0e 1\ufe0f\u20e3 葛\u{e0100}')).toBe(
      '❤\ufe0f ✔\ufe0e 1\ufe0f\u20e3 葛\u{e0100}',
    );
    expect(toPrintable('葛\u{e0141}❤\ufe0f\ufe0f')).toBe('葛\\u{e0141}❤\ufe0f\\u{fe0f}');
  });

  it.each([
    ...[
      '\u3164',
      '\u115f',
      '\u1160',
      '\uffa0',
      '\u2800',
      '\u034f',
      '\u17b4',
      '\u{1d159}',
      '\ufffc',
      '\u2005',
    ],
    ...[
      '\u202a',
      '\u202e',
      '\u2066',
      '\u2069',
      '\u200e',
      '\u200f',
      '\u061c',
      '\u200b',
      '\u2060',
      '\u2063',
      '\ufeff',
    ],
    ...[
      '\u00ad',
      '\u180e',
      '\u2028',
      '\u2029',
      '\u0085',
      '\u0000',
      '\u001b',
      '\u007f',
      '\ud800',
      '\udc00',
      '\ue000',
    ],
    ...[
      '\uffff',
      '\u{fff0}',
      '\u{e0001}',
      '\u{e007f}',
      '\u{10ffff}',
      '\u206a',
      '\ufff9',
      '\u{1d173}',
      '\u{1bca0}',
    ],
  ])('writes out %j', (character) => {
    for (const lines of ['one', 'keep'] as const) {
      expect(toPrintable(`a${character}b`, 50, { lines })).toBe(`a${toEscape(character)}b`);
      expect(toPrintable(`a${character}.`, 50, { lines, mode: 'replace' })).toMatch(/^a\ufffd?\.?$/);
    }
  });

  it('keeps joiners where they join, and only there', () => {
    const words = '❤\ufe0f\u200d🔥 👩🏽\u200d🚀 🏳\ufe0f\u200d🌈 می\u200cخواهم ന\u0d4d\u200d র\u200d\u09cdয';
    expect(toPrintable(words)).toBe(words);
    expect(toPrintable('a\u200db\u200cc \u200d❤\u200d\u200d🔥م\u200ca')).toBe(
      'a\\u{200d}b\\u{200c}c \\u{200d}❤\\u{200d}\\u{200d}🔥م\\u{200c}a',
    );
  });

  it('keeps four marks on a letter, none without one', () => {
    expect(toPrintable(`Z${'\u0301'.repeat(6)}a\u0302`)).toBe(
      `Z${'\u0301'.repeat(4)}\\u{301}\\u{301}a\u0302`,
    );
    expect(toPrintable('\u0301a')).toBe('\\u{301}a');
    const removed = toPrintable(`Z${'\u0301\u001b[0m'.repeat(6)}`, 50, { mode: 'replace' });
    expect(removed).toBe(`Z${'\u0301'.repeat(4)}\ufffd\ufffd`);
  });

  it('leaves ordinary words of many languages and common blanks as they are', () => {
    const words =
      'naïve e\u0301 Ångström שָׁלוֹם العَرَبِيَّة ไทยที่ हिन्दी 日本語 한국어 བོད 10\u00a0km\u202f! 全\u3000角 \\u{202e}';
    expect(toPrintable(words)).toBe(words);
  });

  it('keeps lines and tabs, or puts all on one line', () => {
    expect(toPrintable('a\r\nb\rc\n\td', 50, { lines: 'keep' })).toBe('a\nb\nc\n\td');
    expect(toPrintable('a\r\nb\tc')).toBe('a b c');
  });

  it('drops whole terminal sequences for a terminal, and no text with them', () => {
    const show = (text: string): string => toPrintable(text, 200, { mode: 'replace' });
    expect(
      show('\u001b[1;31mred\u001b[0m \u009b2Jx \u001b]8;;https://a.example\u001b\\link\u001b]8;;\u0007'),
    ).toBe('red x link');
    expect(show('\u001bP1$r\u001b\\\u001b(Ba\u001bc')).toBe('a');
    expect(show('\u001b]0;never ended\nand more')).toBe('0;never ended and more');
    expect(show('\u001b')).toBe('\ufffd');
  });

  it('cuts between characters and counts the rest', () => {
    expect(toPrintable('x'.repeat(12), 10)).toBe(`${'x'.repeat(10)}… (2 more characters)`);
    expect(toPrintable('😀😀', 3)).toBe('😀… (2 more characters)');
    expect(toPrintable('👩\u200d🚀', 3)).toBe('👩… (3 more characters)');
    expect(toPrintable(`${'a'.repeat(8)}\u202e`, 10)).toBe(`${'a'.repeat(8)}… (1 more character)`);
    expect(toPrintable(`${'\u001b[0m'.repeat(20)}a`, 10, { mode: 'replace' })).toBe('… (41 more characters)');
  });

  it('names the type of what is no text', () => {
    expect([undefined, null, 1, {}, []].map((value) => toPrintable(value))).toEqual([
      ...['(undefined)', '(null)', '(number)', '(object)', '(array)'],
    ]);
  });

  it('never leaves what a reader cannot see, and says the same of its own output', () => {
    fc.assert(
      fc.property(hostile, options, fc.nat(40), (text, chosen, max) => {
        for (const shown of [toPrintable(text, 10_000, chosen), toPrintable(text, max, chosen)]) {
          const seen = shown
            .replace(/[\u200c\u200d]/g, '-')
            .replaceAll(chosen.lines === 'keep' ? /[\n\t]/g : /$^/g, '');
          expect(seen).not.toMatch(forbidden);
          expect(shown).not.toMatch(misplaced);
          expect(toPrintable(shown, 100_000, chosen)).toBe(shown);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('accounts for every character it leaves out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.nat(60), (text, max) => {
        const shown = toPrintable(text, max);
        const rest = /… \((\d+) more characters?\)$/.exec(shown);
        if (rest === null) return;
        const kept = text.slice(0, text.length - Number(rest[1]));
        expect(shown.slice(0, rest.index)).toBe(toPrintable(kept, 10_000));
      }),
    );
  });
});
