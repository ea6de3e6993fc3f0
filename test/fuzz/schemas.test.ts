import { LINEAR_GROWTH, measureGrowth } from '../count-operations.js';
import { expectLinearValues, largeValues, valueOf } from './inputs.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSchemaProblem } from '../../packages/protocol/src/schema/find-schema-problem.js';
import { runs } from './runs.js';

const keys = [
  ...[
    'type',
    'properties',
    'items',
    'enum',
    'const',
    'required',
    'allOf',
    'anyOf',
    'oneOf',
    'not',
    'if',
    'then',
    '$ref',
  ],
  ...[
    '$defs',
    'pattern',
    'prefixItems',
    'additionalProperties',
    'dependentRequired',
    'minItems',
    'uniqueItems',
    'a',
  ],
];
const words = ['object', 'array', 'string', 'number', '#', '#/$defs/a', '#/properties/a', '(a+)+$', 'a'];

test('a schema of a guest gives an answer, whatever it says', () => {
  fc.assert(
    fc.property(valueOf(keys, words), valueOf(['a', 'b'], words), (schema, value) => {
      const record =
        typeof schema === 'object' && schema !== null ? (schema as Record<string, unknown>) : { a: schema };
      const problem = findSchemaProblem(record, value);
      if (problem !== undefined) expect(problem.length).toBeLessThanOrEqual(400);
    }),
    runs(500),
  );
});

test('checking costs no more than the value and the schema are large', () => {
  const many = (size: number): unknown[] => Array.from({ length: size }, (_, index) => `item ${index}`);
  const schemas: Record<string, (size: number) => Record<string, unknown>> = {
    enum: (size) => ({ items: { enum: many(size) } }),
    const: (size) => ({ items: { const: many(size) } }),
    required: (size) => ({ items: { required: many(size) } }),
    allOf: (size) => ({ items: { allOf: many(size).map(() => ({ type: 'string' })) } }),
    anyOf: (size) => ({ items: { anyOf: many(size).map(() => ({ type: 'number' })) } }),
    uniqueItems: () => ({ uniqueItems: true }),
    pattern: () => ({ items: { pattern: '^(\\w+\\s?)*$' } }),
    contains: () => ({ contains: { const: 1 } }),
    reference: () => ({ items: { $ref: '#' } }),
  };
  for (const [name, toSchema] of Object.entries(schemas)) {
    const growth = measureGrowth({
      input: (size) => [toSchema(size), many(size)] as const,
      run: ([schema, value]) => findSchemaProblem(schema, value),
      // Beyond the steps that a value is allowed, whatever its schema says.
      size: 8000,
    });
    expect(growth, `growth of ${name}`).toBeLessThan(LINEAR_GROWTH);
  }
  for (const schema of [{}, { type: 'object' }, { additionalProperties: { type: 'string' } }])
    expectLinearValues((value) => findSchemaProblem(schema, value));
  for (const [name, toLarge] of Object.entries(largeValues)) {
    const growth = measureGrowth({
      input: toLarge,
      run: (large) => findSchemaProblem({ properties: large, enum: large, items: large }, ['a']),
      size: 800,
    });
    expect(growth, `growth of a schema with ${name}`).toBeLessThan(LINEAR_GROWTH);
  }
});
