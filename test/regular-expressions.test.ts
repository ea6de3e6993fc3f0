import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPieces, toText } from './expressions/attack-strings.js';
import { searchSteps } from './expressions/count-steps.js';
import { findAttack, tryAttack } from './expressions/find-attack.js';
import { readExpressions } from './expressions/read-expressions.js';
import { runs } from './fuzz/runs.js';

/*
 * Twice the text may cost an expression at most 2.5 times the steps, whatever the text: an expression that does more
 * lets one message stop the page or the gateway. The linter finds most of those; these tests attack every one.
 */

const { found, unread } = readExpressions();

/** Expressions that do more, on a text whose length is limited before; each entry says where. */
const bounded: readonly { source: string; reason: string }[] = [
  {
    source: String.raw`\s*([\w$.-]+)\s*=(\s*(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])\s*|[^,]*)(?:,|$)`,
    reason: 'scripted-commands.ts reads no pairs from more than 8000 characters, which the user typed',
  },
];

/** Expressions put together as the program runs: what they read is counted where their door is fuzzed. */
const putTogether = ['packages/protocol/src/printable.ts'];

const isBounded = ({ expression }: { expression: RegExp }): boolean =>
  bounded.some(({ source }) => source === expression.source);

const unbounded = found.filter((each) => !isBounded(each));

/** Texts made of an expression's own pieces, and of what none of them expects. */
const attackOn = (expression: RegExp): fc.Arbitrary<{ before: string; pumped: string; after: string }> => {
  const { pieces, alphabet } = toPieces(expression);
  const piece = fc.constantFrom(...pieces, ...alphabet, 'a', ' ', '~');
  const word = (maxLength: number): fc.Arbitrary<string> =>
    fc.array(piece, { maxLength }).map((parts) => parts.join(''));
  return fc.record({
    before: word(2),
    pumped: fc.tuple(piece, word(2)).map(([first, rest]) => first + rest),
    after: word(2),
  });
};

describe('the step counter', () => {
  const superLinear = [
    /\beyJ[\w-]{6,}\.[\w-]{6,}\.[\w-]*/g,
    /(a+)+$/,
    /(a|a)*b/,
    /\s+$/,
    /a.*?b/,
    /x*y*z/,
    /a(?=.*b)/g,
    /(?<=a.*)b/g,
    /^(\w+\s?)*$/,
    /^ {0,3}(`{3,}|~{3,})[ \t]*([^`\s]*)[^`]*$/,
    /(.*)\1/,
  ];
  const linear = [
    /(?<![\w-])eyJ[\w-]{6,}\.[\w-]{6,}\.[\w-]*/g,
    /^\s+/,
    /[a-z]+/g,
    /^(?:\d+\.)+\d+$/,
    /a{1,64}b/g,
    /"(?:[^"\\]|\\.)*"/y,
  ];

  test.each(superLinear.map((expression) => [expression]))('finds an attack on %s', (expression) => {
    expect(findAttack(expression)).toBeDefined();
  });

  test.each(linear.map((expression) => [expression]))('finds none on %s', (expression) => {
    expect(findAttack(expression)).toBeUndefined();
  });

  test('finds the match that the engine finds', { timeout: 600_000 }, () => {
    const expression = fc.constantFrom(...found.map((each) => each.expression), ...linear, ...superLinear);
    const sample = expression.chain((each) =>
      fc.tuple(fc.constant(each), attackOn(each), fc.nat({ max: 12 })),
    );
    fc.assert(
      fc.property(sample, ([each, attack, length]) => {
        const text = toText(attack, length);
        const fresh = new RegExp(each.source, each.flags);
        const match = fresh.exec(text);
        const { start, end, steps } = searchSteps(each, text, 0, 1e6);
        fc.pre(steps < Infinity);
        expect([start, end]).toEqual(match ? [match.index, match.index + match[0].length] : [-1, -1]);
      }),
      runs(1000),
    );
  });
});

describe('every regular expression of the product', () => {
  test('is written where it can be read', () => {
    expect(unread.filter((place) => !putTogether.includes(place.replace(/:\d+$/, '')))).toEqual([]);
    expect(found.length).toBeGreaterThan(100);
    const unused = bounded.filter(({ source }) =>
      found.every(({ expression }) => expression.source !== source),
    );
    expect(unused).toEqual([]);
  });

  test('does linear work on texts made of its own pieces', { timeout: 600_000 }, () => {
    const attacked = unbounded.flatMap(({ file, line, expression }) => {
      const attack = findAttack(expression, 800);
      return attack ? [`${file}:${line} ${String(expression)} on ${JSON.stringify(attack)}`] : [];
    });
    expect(attacked).toEqual([]);
  });

  test('does linear work on texts made at random', { timeout: 600_000 }, () => {
    const looping = unbounded.filter(({ expression }) => toPieces(expression).loops.length > 0);
    const sample = fc
      .constantFrom(...looping)
      .chain((each) => fc.tuple(fc.constant(each), attackOn(each.expression)));
    fc.assert(
      fc.property(sample, ([{ expression }, attack]) => {
        expect(tryAttack(expression, attack)).toBeUndefined();
      }),
      runs(2000),
    );
  });
});
