import { expect, test } from 'vitest';
import { toToolSchema } from './tool-schema.js';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);

test('what every alternative requires is required', () => {
  const schema = { anyOf: [{ required: ['a', 'b'] }, { required: ['b', 'c'] }] };
  expect(toToolSchema(schema)).toEqual({ type: 'object', properties: {}, required: ['b'] });
});

test('sec-B6 long lists of required names are compared in one go each', () => {
  const count = (size: number): number => {
    let reads = 0;
    const watched = new Proxy(names(size), {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
        return Reflect.get(target, key);
      },
    });
    const schema = { oneOf: [{ required: names(size) }, { required: watched }] };
    expect(toToolSchema(schema)).toHaveProperty('required.length', size);
    return reads;
  };
  expect(count(2000)).toBeLessThanOrEqual(2.5 * count(1000));
});
