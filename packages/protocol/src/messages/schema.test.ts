import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/fuzz/runs.js';
import { validate } from './parse-values.js';
import * as own from './schema.js';
import type { Schema } from './schema.js';

/*
 * Every message is read by code of ours (decision 14), so it is held against a library that many others test: schemas
 * made at random, in both, must take the same values, make the same of them and refuse them in the same words.
 */

/** One schema, as ours and as the library's. */
interface Pair {
  readonly ours: Schema;
  readonly theirs: v.GenericSchema;
}

const isRecord = (value: unknown): boolean => Object.prototype.toString.call(value) === '[object Object]';
const expectedRecord = 'Expected an object';

const leaves: readonly Pair[] = [
  { ours: own.text, theirs: v.string() },
  { ours: own.number, theirs: v.number() },
  { ours: own.boolean, theirs: v.boolean() },
  { ours: own.unknown, theirs: v.unknown() },
  { ours: own.anyRecord, theirs: v.custom(isRecord, expectedRecord) },
  { ours: own.finiteNumber, theirs: v.custom(Number.isFinite, 'Expected a finite number') },
  { ours: own.oneOf('a'), theirs: v.literal('a') },
  { ours: own.oneOf(1), theirs: v.literal(1) },
  { ours: own.oneOf('a', 'b'), theirs: v.picklist(['a', 'b']) },
  { ours: own.shortText(3), theirs: v.pipe(v.string(), v.minLength(1), v.maxLength(3)) },
  {
    ours: own.either('(string | boolean)', own.text, own.boolean),
    theirs: v.union([v.string(), v.boolean()]),
  },
  {
    ours: own.to(own.text, (read) => read.length),
    theirs: v.pipe(
      v.string(),
      v.transform((read) => read.length),
    ),
  },
];

const keys = ['a', 'b', 'c', 'd'];

/** The library takes arrays, Maps and Dates for objects; here they count as nothing at all. */
const toTheirObject = (entries: v.ObjectEntries): v.GenericSchema => {
  const loose = v.looseObject(entries);
  return v.lazy((value) =>
    isRecord(value) ? loose : v.custom(() => false, 'Invalid type: Expected Object but received undefined'),
  );
};

const toObject = (required: readonly (Pair | undefined)[], optional: readonly (Pair | undefined)[]): Pair => {
  const named = (pairs: readonly (Pair | undefined)[], from: number): [string, Pair][] =>
    pairs.flatMap((pair, index) => (pair ? [[keys[from + index] ?? '', pair]] : []));
  const [needed, others] = [named(required, 0), named(optional, 2)];
  const toOurs = (pairs: readonly [string, Pair][]): Record<string, Schema> =>
    Object.fromEntries(pairs.map(([key, { ours }]) => [key, ours]));
  return {
    ours: own.openObject(toOurs(needed), toOurs(others)),
    theirs: toTheirObject(
      Object.fromEntries([
        ...needed.map(([key, { theirs }]) => [key, theirs]),
        ...others.map(([key, { theirs }]) => [key, v.optional(theirs)]),
      ]),
    ),
  };
};

const toList = ({ ours, theirs }: Pair): Pair => ({
  ours: own.list(ours, 3),
  theirs: v.pipe(
    v.custom<unknown[]>((value) => Array.isArray(value) && value.length <= 3, 'Expected a list of at most 3'),
    v.array(theirs),
  ),
});

const { pair } = fc.letrec<{ pair: Pair }>((tie) => {
  const maybe = fc.option(tie('pair'), { nil: undefined });
  return {
    pair: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...leaves),
      tie('pair').map(({ ours, theirs }) => ({ ours: own.array(ours), theirs: v.array(theirs) })),
      tie('pair').map(toList),
      fc
        .tuple(fc.tuple(maybe, maybe), fc.tuple(maybe, maybe))
        .map(([needed, others]) => toObject(needed, others)),
    ),
  };
});

const define = (entries: readonly (readonly [string, unknown])[]): object => {
  const record = {};
  for (const [key, value] of entries)
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  return record;
};

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(
      'a',
      'b',
      '',
      'long',
      1,
      0,
      -1.5,
      Number.NaN,
      Infinity,
      true,
      null,
      undefined,
      1n,
    ),
    fc.constantFrom<unknown>(new Map(), new Date(0), Object.create(null), 'x'.repeat(400)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom(...keys, 'e', '__proto__', 'constructor', 'prototype'), tie('value')), {
        maxLength: 6,
      })
      .map(define),
  ),
}));

/** What the library says, in the form of `validate`. */
const judge = (schema: v.GenericSchema, given: unknown): ReturnType<typeof validate> => {
  const result = v.safeParse(schema, given, { abortEarly: true });
  if (result.success) return { ok: true, value: result.output };
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  return { ok: false, reason: (path ? `${path}: ${issue.message}` : issue.message).slice(0, 300) };
};

test('schemas read what those of a library read, and refuse the rest in the same words', () => {
  fc.assert(
    fc.property(pair, value, ({ ours, theirs }, given) => {
      expect(validate(ours, given)).toStrictEqual(judge(theirs, given));
    }),
    runs(3_000),
  );
});

describe('a schema', () => {
  const point = own.openObject({ x: own.number }, { label: own.text });

  test('takes an optional key that is undefined, and no other value in its place', () => {
    expect(point({ x: 1, label: undefined })).toStrictEqual({ x: 1, label: undefined });
    expect(validate(point, { x: 1, label: null })).toEqual({
      ok: false,
      reason: 'label: Invalid type: Expected string but received null',
    });
  });

  test('names the first place that does not fit, by the way to it', () => {
    expect(validate(own.array(point), [{ x: 1 }, { x: 1, label: 2 }])).toEqual({
      ok: false,
      reason: '1.label: Invalid type: Expected string but received 2',
    });
    expect(validate(point, {})).toEqual({
      ok: false,
      reason: 'x: Invalid key: Expected "x" but received undefined',
    });
  });

  test('says no more than 300 characters about a value, whatever its length', () => {
    const checked = validate(own.number, 'y'.repeat(100_000));
    expect(checked.ok ? '' : checked.reason).toHaveLength(300);
  });

  test('reads a key that may be absent as its default, each time a new one', () => {
    const named = own.openObject({ names: own.orElse(own.array(own.text), (): string[] => []) });
    const [one, other] = [named({}), named({ names: undefined })];
    expect([one, other]).toEqual([{ names: [] }, { names: [] }]);
    expect(one.names).not.toBe(other.names);
    expect(validate(named, { names: null }).ok).toBe(false);
  });

  test('takes a value that cannot be read for invalid, also where another schema would have read it', () => {
    const trap = {
      get x(): number {
        throw new Error('a trap');
      },
    };
    const unreadable = { ok: false, reason: 'the value could not be read' };
    expect(validate(point, trap)).toEqual(unreadable);
    expect(validate(own.either('Object', point, own.anyRecord), trap)).toEqual(unreadable);
  });

  test('leaves out keys that reach a prototype, and pollutes nothing', () => {
    const given: unknown = JSON.parse('{"x":1,"__proto__":{"polluted":1},"constructor":2,"kept":3}');
    const read = point(given);
    expect(read).toStrictEqual({ x: 1, kept: 3 });
    expect('polluted' in read).toBe(false);
  });
});
