import { describe, expect, test } from 'vitest';
import { checkArguments } from './check-arguments.js';
import { toFormModel } from './form-model.js';
import { fitsForm, setMember, toInitialArguments } from './form-values.js';

const object = (properties: Record<string, unknown>, required: string[] = [], more = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});

const nodes = (schema: unknown) => {
  const model = toFormModel(schema);
  if (!('fields' in model)) return model.jsonOnly;
  return Object.fromEntries(model.fields.map(({ name, node }) => [name, node]));
};

describe('the form of a schema', () => {
  test('has a control for each plain type', () => {
    expect(
      nodes(
        object({
          text: { type: 'string', examples: ['Oslo'] },
          count: { type: 'integer', minimum: 1, maximum: 9 },
          ratio: { type: 'number' },
          flag: { type: 'boolean' },
          unit: { enum: ['metric', 'imperial'] },
        }),
      ),
    ).toMatchObject({
      text: { kind: 'string', placeholder: 'Oslo' },
      count: { kind: 'number', integer: true, min: 1, max: 9 },
      ratio: { kind: 'number', integer: false },
      flag: { kind: 'boolean' },
      unit: { kind: 'choice', options: [{ value: 'metric' }, { value: 'imperial' }] },
    });
  });

  test('keeps required marks, titles and descriptions', () => {
    const model = toFormModel(object({ a: { type: 'string', title: 'A', description: 'says a' } }, ['a']));
    expect(model).toMatchObject({
      fields: [{ name: 'a', title: 'A', description: 'says a', required: true, hasDefault: false }],
    });
  });

  test('follows objects and lists', () => {
    expect(
      nodes(object({ list: { type: 'array', items: object({ name: { type: 'string' } }) } })),
    ).toMatchObject({ list: { kind: 'array', item: { kind: 'object', fields: [{ name: 'name' }] } } });
  });

  test('takes off what generators wrap around one schema', () => {
    const schema = object(
      {
        maybe: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'own words' },
        nullable: { type: ['integer', 'null'] },
        named: { $ref: '#/$defs/Colour' },
        wrapped: { allOf: [{ $ref: '#/$defs/Colour' }] },
        titled: { oneOf: [{ const: 1, title: 'One' }, { const: 2 }] },
      },
      [],
      { $defs: { Colour: { enum: ['red'] } } },
    );
    expect(nodes(schema)).toMatchObject({
      maybe: { kind: 'string' },
      nullable: { kind: 'number', integer: true },
      named: { kind: 'choice' },
      wrapped: { kind: 'choice' },
      titled: {
        kind: 'choice',
        options: [
          { label: 'One', value: 1 },
          { label: '2', value: 2 },
        ],
      },
    });
  });

  test('leaves what is odd or deep to JSON, member by member', () => {
    const deep = object({ a: object({ b: object({ c: object({ d: object({}) }) }) }) });
    expect(JSON.stringify(nodes(deep))).toContain('nested too deep');
    expect(
      nodes(object({ any: {}, no: true, two: { type: ['string', 'number'] }, map: { type: 'object' } })),
    ).toMatchObject({
      any: { kind: 'json' },
      no: { kind: 'json' },
      two: { kind: 'json' },
      map: { kind: 'json' },
    });
  });

  test('a schema that refers to itself ends', () => {
    const loop = object({ me: { $ref: '#' }, self: { $ref: '#/properties/self' } });
    expect(JSON.stringify(nodes(loop))).toContain('nested too deep');
  });

  test('is JSON only when there is nothing to make a form of', () => {
    expect(nodes(undefined)).toMatch(/no schema/);
    expect(nodes({ type: 'object' })).toMatch(/no properties/);
    expect(nodes(object({}, [], { additionalProperties: true }))).toMatch(/takes any/);
    const wide = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`f${n}`, { type: 'string' }]));
    expect(nodes(object(wide))).toMatch(/more than/);
    expect(nodes(object({}))).toEqual({});
  });

  test('survives names and references that aim at prototypes', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"x":{"$ref":"#/constructor"}}}',
    ) as unknown;
    expect(toFormModel(schema)).toMatchObject({
      fields: [{ name: '__proto__' }, { node: { kind: 'json' } }],
    });
  });
});

describe('the values of a form', () => {
  const model = toFormModel(
    object(
      {
        city: { type: 'string' },
        days: { type: 'integer', minimum: 1 },
        units: { enum: ['metric', 'imperial'] },
        odd: { anyOf: [] },
        limit: { type: 'number', default: 5 },
        optional: { type: 'string' },
        place: object({ lat: { type: 'number' }, note: { type: 'string' } }, ['lat']),
      },
      ['city', 'days', 'units', 'odd', 'place'],
    ),
  );

  test('begin with defaults and a blank for each required property', () => {
    expect(toInitialArguments(model)).toEqual({
      city: '',
      days: 0,
      units: 'metric',
      odd: null,
      limit: 5,
      place: { lat: 0 },
    });
  });

  test('are set and taken out without touching the rest', () => {
    expect(setMember({ a: 1, b: 2 }, 'a', 3)).toEqual({ a: 3, b: 2 });
    expect(Object.keys(setMember({ a: 1, b: 2 }, 'a', 3))).toEqual(['a', 'b']);
    expect(setMember({ a: 1 }, 'a', undefined)).toEqual({});
    expect(Object.keys(setMember({}, '__proto__', 1))).toEqual(['__proto__']);
  });

  test('fit only when nothing would be hidden or bent', () => {
    expect(fitsForm(model, { city: 'Oslo' })).toBe(true);
    expect(fitsForm(model, { city: 'Oslo', extra: 1 })).toBe(false);
    expect(fitsForm(model, { city: 7 })).toBe(false);
    expect(fitsForm(model, { place: { lat: 1, lon: 2 } })).toBe(false);
  });

  test('are compared with the schema', () => {
    const args = { city: 1, days: 0, units: 'other', odd: [], place: { note: 'n' }, more: true };
    expect(checkArguments(model, args)).toEqual([
      { path: 'city', message: 'must be a text' },
      { path: 'days', message: 'must be at least 1' },
      { path: 'units', message: 'must be one of metric, imperial' },
      { path: 'place.lat', message: 'is required' },
      { path: 'more', message: 'is not in the schema' },
    ]);
  });
});

describe('sec-B6 a schema as large as a server likes', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

  test('makes no form of more fields than a page can hold, and does not look at the rest', () => {
    let looked = 0;
    const properties = Object.fromEntries(names(100_000).map((name) => [name, {}]));
    const watched = new Proxy(properties, {
      get(target, key) {
        looked += 1;
        return Reflect.get(target, key);
      },
    });
    expect(toFormModel({ properties: watched })).toEqual({
      jsonOnly: 'The schema has more than 150 fields.',
    });
    expect(looked).toBeLessThan(10);
    expect(toFormModel(object({ inner: object(properties) }))).toHaveProperty('jsonOnly');
  });

  test('makes no list of more choices than a person reads, and no endless words', () => {
    const long = 'x'.repeat(1_000_000);
    const model = toFormModel(
      object({
        many: { enum: names(100_000) },
        named: { oneOf: names(100_000).map((name) => ({ const: name })) },
        told: { type: 'string', title: long, description: long, examples: [long] },
        chosen: { enum: [long] },
      }),
    );
    expect(model).toMatchObject({
      fields: [
        { node: { kind: 'json', reason: 'more than 300 choices' } },
        { node: { kind: 'json', reason: 'more than 300 choices' } },
        { node: { kind: 'string' } },
        { node: { kind: 'choice' } },
      ],
    });
    const shown =
      'fields' in model ? model.fields.map(({ title, description, node }) => [title, description, node]) : [];
    expect(JSON.stringify(shown.slice(0, 3)).length).toBeLessThan(10_000);
  });

  test('is checked as far as its first problems', () => {
    const model = toFormModel(object({ list: { type: 'array', items: { enum: names(200) } } }));
    const problems = checkArguments(model, { list: Array(100_000).fill('other') });
    expect(problems).toHaveLength(20);
    expect(problems[0]?.message).toMatch(/and 180 more$/);
  });
});
