import { expectLinearText, textOf, valueOf } from './inputs.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toPrintable } from '../../packages/protocol/src/printable.js';
import { runs } from './runs.js';

const pieces = [
  ...[
    '\x1b[',
    '\x1b]',
    '\x9b',
    '0m',
    '\x07',
    '\x1b\\',
    '\u200d',
    '\u200c',
    '\ufe0f',
    '\u{e0101}',
    '\u{e0041}',
    '\u0301',
  ],
  ...[
    '\u{1f468}',
    '\u{1f469}',
    '\u0915',
    '\u094d',
    '葛',
    '\r',
    '\n',
    '\t',
    '。',
    'a',
    ' ',
    '\u202e',
    '\u3164',
    '\ud83d',
  ],
];
const text = textOf(pieces);
const options = fc.record({
  mode: fc.constantFrom('escape' as const, 'replace' as const),
  lines: fc.constantFrom('one' as const, 'keep' as const),
});

/** Never in any outcome, wherever it stands. */
const NEVER =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff\u{e0000}-\u{e007f}]|[\u{e0110}-\u{e01ef}]/u;

test('printable text holds nothing unseen, and little more than was asked for', () => {
  fc.assert(
    fc.property(fc.oneof(text, valueOf(['x'], pieces)), fc.nat({ max: 400 }), options, (value, max, how) => {
      const shown = toPrintable(value, max, how);
      const plain = how.lines === 'keep' ? shown.replace(/[\n\t]/g, '') : shown;
      expect(plain).not.toMatch(NEVER);
      expect(plain).not.toMatch(/[\p{P}\p{N}][\u200c\u200d]/u);
      expect(shown.length).toBeLessThanOrEqual(max + 60);
      // Four marks on a letter cover nothing; more would.
      expect(plain).not.toMatch(/\p{Mn}{6}/u);
    }),
    runs(1000),
  );
});

test('printable text stays as it is when it is made printable again', () => {
  fc.assert(
    fc.property(text, options, (value, how) => {
      const shown = toPrintable(value, 20_000, how);
      expect(toPrintable(shown, 40_000, how)).toBe(shown);
    }),
    runs(500),
  );
});

test('two texts that differ never look the same when what is unseen is escaped', () => {
  fc.assert(
    fc.property(
      text,
      fc.nat(),
      fc.constantFrom('\u200b', '\u202e', '\u{e0041}', '\u2064', '\u3164', '\u{e0121}', '\0'),
      (value, place, unseen) => {
        const at = value.length === 0 ? 0 : place % value.length;
        fc.pre(!/[\ud800-\udbff]$/.test(value.slice(0, at)));
        const hiding = value.slice(0, at) + unseen + value.slice(at);
        expect(toPrintable(hiding, 20_000)).not.toBe(toPrintable(value, 20_000));
      },
    ),
    runs(500),
  );
});

test('making text printable is linear work', () => {
  for (const mode of ['escape', 'replace'] as const)
    expectLinearText(pieces, (value) => toPrintable(value, 100_000, { mode, lines: 'keep' }));
  expectLinearText(pieces, (value) => toPrintable(value, 50));
});
