import { expect, test } from 'vitest';
import { toCapabilityFacts } from './state-facts.js';

test('sec-B1 the facts of an app that says megabytes of itself read only what they show', () => {
  let reads = 0;
  const toItem = (): object =>
    Object.defineProperty({}, 'x', { enumerable: true, get: () => ((reads += 1), 'y') });
  const items = Array.from({ length: 100_000 }, toItem);
  const named = Object.fromEntries(items.map((item, index) => [`n${index}`, item]));
  const facts = toCapabilityFacts({
    experimental: { items, named, deep: { a: { b: { c: { d: items } } } } },
  });
  expect(facts).toHaveLength(1);
  expect(facts[0]?.[1].length).toBeLessThan(500);
  expect(reads).toBeLessThan(2_000);
});

test('the facts of capabilities are names, with what is said of them', () => {
  expect(
    toCapabilityFacts({ tools: { listChanged: true }, message: { text: {}, image: {} }, modes: ['a', 'b'] }),
  ).toEqual([
    ['tools', 'listChanged'],
    ['message', 'text, image'],
    ['modes', 'a b'],
  ]);
});
