import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { toText, type Attack } from '../expressions/attack-strings.js';
import { LINEAR_GROWTH, measureGrowth, measureGrowthAsync } from '../count-operations.js';
import { runs } from './runs.js';

// Counted work runs without the engine's optimiser, and a long run of `npm run fuzz` takes minutes.
vi.setConfig({ testTimeout: 3_600_000 });

/** Characters that foreign text hides things with, or that programs treat in ways of their own. */
const ODD_PIECES = [
  ...'\0\x1b\x9b\n\r\t "\'`\\/.,:;-_#?&=%<>{}[]()~@',
  '\u200b',
  '\u200d',
  '\u202e',
  '\u2028',
  '\ufe0f',
  '\ufeff',
  '\u0301',
  '\ud800',
  '\udc00',
  '\u{1f600}',
  '\u{e0041}',
  '\u{e0101}',
  'é',
  'a',
  'A',
  '0',
  '__proto__',
  'constructor',
];

const toPiece = (pieces: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...pieces), weight: 3 },
    { arbitrary: fc.constantFrom(...ODD_PIECES), weight: 1 },
  );

/** Text made of a door's own syntax, of odd characters, and of long runs of either. */
export const textOf = (pieces: readonly string[], maxLength = 24): fc.Arbitrary<string> => {
  const piece = toPiece(pieces);
  const run = fc.tuple(piece, fc.integer({ min: 2, max: 200 })).map(([part, count]) => part.repeat(count));
  return fc.oneof(
    { arbitrary: fc.array(piece, { maxLength }).map((parts) => parts.join('')), weight: 6 },
    { arbitrary: fc.array(fc.oneof(piece, run), { maxLength: 4 }).map((parts) => parts.join('')), weight: 2 },
    { arbitrary: fc.string({ unit: 'binary', maxLength: 60 }), weight: 1 },
  );
};

/** Any JSON value, with a door's own names as keys and its own words as texts. */
export const valueOf = (keys: readonly string[], texts: readonly string[] = []): fc.Arbitrary<unknown> => {
  const key = fc.oneof(
    fc.constantFrom(...keys),
    fc.constantFrom('__proto__', 'constructor', 'toString', '', 'x'),
  );
  const leaf = fc.oneof(
    fc.constantFrom<unknown>(null, true, false, undefined, 0, -1, 1.5, Number.NaN, Infinity, 1e21),
    textOf(texts.length > 0 ? texts : keys, 6),
  );
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      // Entries are defined, so that an own "__proto__" is one, as JSON.parse makes it.
      fc.array(fc.tuple(key, tie('value')), { maxLength: 6 }).map((entries) => toRecord(entries)),
    ),
  })).value;
};

const toRecord = (entries: readonly (readonly [string, unknown])[]): object => {
  const record = {};
  for (const [key, value] of entries)
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  return record;
};

/** The shapes a large value may have. */
export const largeValues: Readonly<Record<string, (size: number) => unknown>> = {
  'many keys': (size) =>
    Object.fromEntries(Array.from({ length: size }, (_, index) => [`key${index}`, index])),
  'many items': (size) => Array.from({ length: size }, (_, index) => `item ${index}`),
  'many objects': (size) => Array.from({ length: size }, (_, index) => ({ index, text: 'x' })),
  'one long text': (size) => 'long '.repeat(size),
  'one long key': (size) => ({ ['k'.repeat(size)]: 1 }),
  'lists in lists': (size) => {
    let value: unknown = 1;
    for (let depth = 0; depth < size; depth += 1) value = [value];
    return value;
  },
  'objects in objects': (size) => {
    let value: unknown = 1;
    for (let depth = 0; depth < size; depth += 1) value = { a: value };
    return value;
  },
};

/** Twice the text costs at most 2.5 times the operations, whatever the text is made of. */
export const expectLinearText = (
  pieces: readonly string[],
  run: (text: string) => unknown,
  size = 1200,
): void => {
  const piece = toPiece(pieces);
  const word = fc.array(piece, { maxLength: 2 }).map((parts) => parts.join(''));
  const attack: fc.Arbitrary<Attack> = fc.record({
    before: word,
    pumped: fc.tuple(piece, word).map(([first, rest]) => first + rest),
    after: word,
  });
  const isLinear = (each: Attack): void => {
    const growth = measureGrowth({ input: (length) => toText(each, length), run, size });
    expect(growth, `growth on ${JSON.stringify(each)}`).toBeLessThan(LINEAR_GROWTH);
  };
  for (const pumped of pieces) isLinear({ before: '', pumped, after: '' });
  fc.assert(fc.property(attack, isLinear), runs(8));
};

/** The same for values: `wrap` puts a large value where the door reads one. */
export const expectLinearValues = (
  run: (value: unknown) => unknown,
  wrap: (large: unknown) => unknown = (large) => large,
  size = 800,
): void => {
  for (const [name, toLarge] of Object.entries(largeValues)) {
    const growth = measureGrowth({ input: (length) => wrap(toLarge(length)), run, size });
    expect(growth, `growth on ${name}`).toBeLessThan(LINEAR_GROWTH);
  }
};

/** The same for doors that answer later. */
export const expectLinearValuesAsync = async (
  run: (value: unknown) => Promise<unknown>,
  wrap: (large: unknown) => unknown = (large) => large,
  size = 800,
): Promise<void> => {
  for (const [name, toLarge] of Object.entries(largeValues)) {
    const growth = await measureGrowthAsync({ input: (length) => wrap(toLarge(length)), run, size });
    expect(growth, `growth on ${name}`).toBeLessThan(LINEAR_GROWTH);
  }
};

/** What a door gives, or the refusal it throws; anything else that is thrown is passed on. */
export const orRefusal = <Result>(
  run: () => Result,
  isRefusal: (error: unknown) => boolean,
): Result | undefined => {
  try {
    return run();
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
};
