import { expect, onTestFinished, test, vi } from 'vitest';
import { toToolSchema } from './tool-schema.js';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);

test('what every alternative requires is required', () => {
  const schema = { anyOf: [{ required: ['a', 'b'] }, { required: ['b', 'c'] }] };
  expect(toToolSchema(schema)).toEqual({ type: 'object', properties: {}, required: ['b'] });
});

test('sec-B6 long lists of required names are not searched through for each name', () => {
  let searched = 0;
  const includes = vi.spyOn(Array.prototype, 'includes').mockImplementation(function (this: unknown[], item) {
    searched += this.length;
    return this.indexOf(item) >= 0;
  });
  onTestFinished(() => includes.mockRestore());
  const schema = { oneOf: [{ required: names(1000) }, { required: names(1000) }] };
  const { required } = toToolSchema(schema);
  includes.mockRestore();
  expect(required).toHaveLength(1000);
  expect(searched).toBeLessThan(10_000);
});
