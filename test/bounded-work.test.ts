import { countOperations, LINEAR_GROWTH, measureGrowth } from './count-operations.js';
import { describe, expect, test } from 'vitest';
import { findNearest } from '../packages/protocol/src/metadata/find-nearest.js';
import { findExcess } from '../packages/gateway/src/servers/list-entry-excess.js';
import { toResultText } from '../packages/inspector/src/stage/result-panel.js';
import { parseMime } from '../packages/protocol/src/metadata/mime.js';
import { toPrintable } from '../packages/protocol/src/printable.js';

/** How many times more operations the second input costs. */
const compare = <Input>(run: (input: Input) => unknown, smaller: Input, larger: Input): number => {
  // The first call also pays what is made once.
  run(smaller);
  return countOperations(() => run(larger)) / countOperations(() => run(smaller));
};

describe('sec-B10 printable foreign text', () => {
  test.each([
    '\u001b]',
    '\u009d',
    '\u001b[1',
    '\u001b[ ',
    '\u0301',
    'a\u200d',
    'م\u200d',
    '❤\ufe0f\u200d',
    '\r',
    '\ud800',
  ])('takes work in proportion to the text for %j over and over', (piece) => {
    for (const mode of ['escape', 'replace'] as const) {
      const growth = measureGrowth({
        input: (size) => piece.repeat(size),
        run: (text) => toPrintable(text, Infinity, { mode, lines: 'keep' }),
      });
      expect(growth, mode).toBeLessThan(LINEAR_GROWTH);
    }
  });

  test('is read no further than it may be shown', () => {
    const show = (text: string): string => toPrintable(text, 200);
    expect(compare(show, '\u202e'.repeat(2_000), '\u202e'.repeat(4_000_000))).toBeLessThan(1.5);
  });
});

test('the nearest names cost no more work than a limit, whatever a server lists', () => {
  const toNames = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${'ba'.repeat(97)}${index}`);
  const find = (names: string[]) => findNearest('ab'.repeat(100), names);
  expect(compare(find, toNames(2_000), toNames(10_000))).toBeLessThan(1.5);
});

test('too much in an entry of a list is found without a look at all of it', () => {
  const toEntry = (values: number): unknown =>
    JSON.parse(`{"name":"x","inputSchema":[${'0,'.repeat(values)}0]}`);
  const find = (entry: unknown): void => expect(findExcess(entry)?.why).toContain('100000 values');
  expect(compare(find, toEntry(200_000), toEntry(2_000_000))).toBeLessThan(1.5);
});

test.each([
  ['many parameters', (size: number) => `text/html${';'.repeat(size)}`],
  ['a quoted text that does not end', (size: number) => `text/html;a="${'\\'.repeat(size)}`],
])('a media type of %s costs work in proportion to it at most', (_what, input) => {
  expect(measureGrowth({ input, run: parseMime, size: 200 })).toBeLessThan(LINEAR_GROWTH);
  expect(compare(parseMime, input(2_000), input(1_000_000))).toBeLessThan(1.5);
  expect(parseMime(input(1_000_000))).toBeUndefined();
});

test('the text of a result is read no further than it is shown', () => {
  const show = (text: string) => toResultText({ content: [{ type: 'text', text }] });
  expect(show('x'.repeat(40_000)).text).toHaveLength(20_000);
  expect(compare(show, 'x'.repeat(40_000), 'x'.repeat(20 * 1024 * 1024))).toBeLessThan(1.5);
});
