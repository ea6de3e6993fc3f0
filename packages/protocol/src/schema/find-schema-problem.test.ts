import { type Schema, Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSchemaProblem, toMaxSteps } from './find-schema-problem.js';
import { checkSchema } from './schema-check.js';

const plenty = 1e9;
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const ofItems = (items: unknown) => ({ type: 'object', properties: { list: { type: 'array', items } } });

describe('the check of an app tool’s result', () => {
  const names = fc.constantFrom('a', 'b', 'c');
  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, true, 0, 1, 1.5, -2, '', 'a', '\u{1f600}b'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(names, tie('value')),
    ),
  })).value;
  const count = fc.integer({ min: 0, max: 3 });
  const schemas = fc.letrec<{ schema: unknown }>((tie) => {
    const schema = tie('schema');
    const some = fc.array(schema, { minLength: 1, maxLength: 3 });
    return {
      schema: fc.oneof(
        { maxDepth: 2 },
        fc.boolean(),
        fc.constant({ $ref: '#/$defs/other' }),
        fc.record(
          {
            type: fc.constantFrom('object', 'array', 'integer', 'number', 'string', ['null', 'boolean']),
            enum: fc.array(json, { minLength: 1, maxLength: 3 }),
            const: json,
            minimum: count,
            exclusiveMaximum: count,
            minLength: count,
            maxLength: count,
            maxItems: count,
            minProperties: count,
            required: fc.uniqueArray(names),
            dependentRequired: fc.dictionary(names, fc.uniqueArray(names)),
            dependentSchemas: fc.dictionary(names, schema),
            properties: fc.dictionary(names, schema),
            additionalProperties: schema,
            propertyNames: schema,
            prefixItems: some,
            items: schema,
            contains: schema,
            allOf: some,
            anyOf: some,
            oneOf: some,
            not: schema,
            if: schema,
            then: schema,
            else: schema,
          },
          { requiredKeys: [] },
        ),
      ),
    };
  }).schema;

  test('says the same as a validator that does not count', () => {
    fc.assert(
      fc.property(schemas, json, (schema, value) => {
        // The arbitrary makes nothing but schemas; its type does not know.
        const root = { allOf: [schema as Schema], $defs: { other: { type: ['string', 'object'] } } };
        const { valid } = new Validator(structuredClone(root), '2020-12').validate(value);
        expect(checkSchema(root, value, plenty).problem === undefined).toBe(valid);
      }),
      { numRuns: 300 },
    );
  });

  test('says where a value does not fit, in printable words', () => {
    expect(findSchemaProblem(ofItems({ type: 'number' }), { list: [1, 'x'] })).toBe(
      '#/"list"/"1": is of another type',
    );
    const named = { additionalProperties: { type: 'null' } };
    expect(findSchemaProblem(named, { 'a\u202eb\u001b': 1 })).toMatch(/^#\/"a\\u\{202e\}b\\u\{1b\}": /);
  });

  test('takes a schema that refers to itself, as far as the value goes', () => {
    const tree = { type: 'object', properties: { sub: { $ref: '#' } }, additionalProperties: false };
    expect(findSchemaProblem(tree, { sub: { sub: {} } })).toBeUndefined();
    expect(findSchemaProblem(tree, { sub: { sub: { x: 1 } } })).toMatch(/^#\/"sub"\/"sub"\/"x": /);
    expect(findSchemaProblem({ $ref: '#' }, {})).toMatch(/circles/);
  });
});

/** Each costs far more than it is long, by a validator that does not count. */
const attacks: Readonly<Record<string, (size: number) => [Record<string, unknown>, unknown]>> = {
  'a long enum': (size) => [
    ofItems({ enum: [...numbers(size).map((index) => `x${index}`), 'hit'] }),
    { list: Array(size).fill('hit') },
  ],
  'an enum of objects': (size) => [
    ofItems({ enum: [...Array<object>(size).fill({ a: { b: 1 } }), { a: { b: 2 } }] }),
    { list: Array(size).fill({ a: { b: 2 } }) },
  ],
  'an enum of long texts': (size) => [
    { allOf: Array(10).fill({ anyOf: [{ enum: Array(size).fill(`${'a'.repeat(size)}b`) }, true] }) },
    `${'a'.repeat(size)}c`,
  ],
  'an enum of empty objects for a wide one': (size) => [
    { enum: Array(size).fill({}) },
    Object.fromEntries(numbers(size).map((index) => [`n${index}`, 0])),
  ],
  'a large const': (size) => [{ allOf: Array(size).fill({ const: numbers(size) }) }, numbers(size)],
  'a long required': (size) => [
    ofItems({ required: Array(size).fill('a') }),
    { list: Array(size).fill({ a: 1 }) },
  ],
  'a long dependentRequired': (size) => [
    ofItems({ dependentRequired: { a: Array(size).fill('a') } }),
    { list: Array(size).fill({ a: 1 }) },
  ],
  'many alternatives': (size) => [
    ofItems({ anyOf: [...Array<object>(size).fill({ type: 'string' }), {}] }),
    { list: Array(size).fill(1) },
  ],
  'a long list of types': (size) => [
    ofItems({ type: [...Array<string>(size).fill('string'), 'number'] }),
    { list: Array(size).fill(1) },
  ],
  'names by many rules': (size) => [
    { propertyNames: { anyOf: [...Array<object>(size).fill({ maxLength: 0 }), {}] } },
    Object.fromEntries(numbers(size).map((index) => [`n${index}`, 0])),
  ],
  'references that double at each level': (size) => [
    {
      $ref: '#/$defs/l0',
      $defs: Object.fromEntries([
        ...numbers(30).map((level) => [
          `l${level}`,
          { anyOf: Array(2).fill({ $ref: `#/$defs/l${level + 1}` }) },
        ]),
        ['l30', false],
      ]),
    },
    { size },
  ],
  'contains over and over': (size) => [
    ofItems({ allOf: Array(size).fill({ contains: { const: -1 }, minContains: 0 }) }),
    { list: Array(size).fill(numbers(10)) },
  ],
};

describe('sec-B6 a schema of an app', () => {
  test.each(Object.entries(attacks))('with %s is given up within its budget', (_, attack) => {
    const [schema, value] = attack(2000);
    expect(() => checkSchema(schema, value, toMaxSteps(value))).toThrow(/too large/);
    expect(findSchemaProblem(schema, value)).toBe('schema and value are too large to be checked');
  });

  test.each(Object.entries(attacks))('with %s: the work is counted before it is done', (_, attack) => {
    const [schema, value] = attack(20);
    let reads = 0;
    // Counts what the check really looks at: each read of a member, item or name of schema and value.
    const watch = <T>(node: T): T =>
      typeof node !== 'object' || node === null
        ? node
        : new Proxy(node, {
            get(target, key) {
              if (typeof key === 'string') reads += 1;
              return watch(Reflect.get(target, key));
            },
            ownKeys(target) {
              const keys = Reflect.ownKeys(target);
              reads += keys.length;
              return keys;
            },
          });
    const budget = 5000;
    try {
      checkSchema(watch(schema), watch(value), budget);
    } catch {
      // Given up, as many of them are with so little.
    }
    // A step looks up each of the few words a schema may begin with, and no more.
    expect(reads).toBeLessThan(budget * 60);
  });

  test('an honest result of any size is within it', () => {
    const row = { id: 'r-1', name: 'A name', size: 12.5, tags: ['x', 'y'], at: null };
    const schema = ofItems({
      type: 'object',
      properties: {
        id: { type: 'string', minLength: 1, maxLength: 40 },
        name: { type: 'string' },
        size: { type: 'number', minimum: 0 },
        tags: { type: 'array', items: { enum: ['x', 'y', 'z'] } },
        at: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
      required: ['id', 'name', 'size', 'tags', 'at'],
      additionalProperties: false,
    });
    for (const count of [1, 1000, 40_000])
      expect(findSchemaProblem(schema, { list: Array(count).fill(row) })).toBeUndefined();
    const wide = ofItems({ properties: Object.fromEntries(numbers(5000).map((index) => [`n${index}`, {}])) });
    expect(findSchemaProblem(wide, { list: Array(20_000).fill({ n1: 1 }) })).toBeUndefined();
    const plain = ofItems({ type: 'integer' });
    expect(findSchemaProblem(plain, { list: Array(500_000).fill(7) })).toBeUndefined();
  });
});
