import { describe, expect, test } from 'vitest';
import {
  countOperations,
  countOperationsAsync,
  LINEAR_GROWTH,
  measureGrowth,
  measureGrowthAsync,
} from './count-operations.js';
import { createLineReader } from '../packages/gateway/src/reading/line-reader.js';

const text = (size: number): string => 'ab'.repeat(size / 2);
const numbers = (size: number): number[] => Array.from({ length: size }, (_, index) => (index * 7919) % size);

/** Every function here is asked for its growth; what is quadratic must be seen, what is linear must pass. */
const linear: Record<string, (input: string) => unknown> = {
  'a loop over characters': (input) => {
    let sum = 0;
    for (let index = 0; index < input.length; index += 1) sum += input.charCodeAt(index);
    return sum;
  },
  'for of': (input) => {
    let count = 0;
    for (const character of input) count += character.length;
    return count;
  },
  'one pass of an expression': (input) => input.replace(/a/g, 'xy'),
  'split and join': (input) => input.split('a').join('b'),
  'walking with indexOf': (input) => {
    let count = 0;
    for (let at = input.indexOf('b'); at !== -1; at = input.indexOf('b', at + 1)) count += 1;
    return count;
  },
  'JSON there and back': (input) => JSON.parse(JSON.stringify([...input])) as unknown,
  'cutting from the front': (input) => {
    let rest = input;
    while (rest.length > 0) rest = rest.slice(1);
    return rest;
  },
  'a set of parts': (input) => new Set(input.split('a').map((part, index) => `${part}${index}`)).size,
  matchAll: (input) => [...input.matchAll(/ab/g)].length,
  'a line reader that gets single bytes': (input) => {
    const reader = createLineReader({ maxBytes: 100 });
    let lines = 0;
    for (const byte of Buffer.from(input.replaceAll('ba', '\n')))
      lines += [...reader.push(Buffer.from([byte]))].length;
    return lines;
  },
};

const quadratic: Record<string, (input: string) => unknown> = {
  'a loop in a loop': (input) => {
    let sum = 0;
    for (let left = 0; left < input.length; left += 1)
      for (let right = 0; right < left; right += 1) sum += right;
    return sum;
  },
  'includes in a loop': (input) => {
    let count = 0;
    for (let index = 0; index < input.length; index += 1) if (input.includes('x', index)) count += 1;
    return count;
  },
  'a list searched for each part': (input) => {
    const seen: string[] = [];
    [...input].forEach((character, index) => {
      if (!seen.includes(`${character}${index}`)) seen.push(`${character}${index}`);
    });
    return seen.length;
  },
  'a list copied for each part': (input) => [...input].reduce<string[]>((all, part) => [...all, part], []),
  shift: (input) => {
    const list = [...input];
    while (list.length > 0) list.shift();
  },
  'an expression tried at every place': (input) => {
    let count = 0;
    for (let index = 0; index < input.length; index += 1) if (/x/.test(input.slice(index))) count += 1;
    return count;
  },
  'an expression that goes back': (input) => /\s+$/.test(`${' '.repeat(input.length / 8)}x`),
  'a buffer that grows by copies': (input) => {
    let all = Buffer.alloc(0);
    for (const byte of Buffer.from(input)) all = Buffer.concat([all, Buffer.from([byte])]);
    return all;
  },
  'JSON written for each part': (input) =>
    [...input].map((_, index) => JSON.stringify(input.slice(0, index))).length,
  'a text decoded again with each byte': (input) => {
    const bytes = Buffer.from(input);
    return [...input].map((_, index) => new TextDecoder().decode(bytes.subarray(0, index))).length;
  },
};

describe('counting operations', () => {
  test.each(Object.entries(linear))('%s grows with its input', (_name, run) => {
    const growth = measureGrowth({ input: text, run });
    expect(growth).toBeGreaterThan(1.5);
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });

  test.each(Object.entries(quadratic))('%s is seen to grow with the square of its input', (_name, run) => {
    expect(measureGrowth({ input: text, run })).toBeGreaterThan(3);
  });

  test('sorting passes, with a comparison of its own and without', () => {
    const run = (input: number[]): unknown => [
      input.toSorted((left, right) => left - right),
      input.map(String).sort(),
    ];
    expect(measureGrowth({ input: numbers, run })).toBeLessThan(LINEAR_GROWTH);
  });

  test('the same work gives the same number', () => {
    const run = (): unknown => Object.values({ ...linear, ...quadratic }).map((each) => each(text(300)));
    run();
    const counts = [1, 2, 3].map(() => countOperations(run));
    expect(new Set(counts).size).toBe(1);
  });

  test('work that ends later is counted to its end', async () => {
    const run = async (input: string): Promise<void> => {
      for (const part of input) await Promise.resolve(part);
      await new Promise((done) => setImmediate(done));
      for (let left = 0; left < input.length; left += 1) await input.includes('x');
    };
    expect(await measureGrowthAsync({ input: text, run, size: 500 })).toBeGreaterThan(3);
    expect(await countOperationsAsync(() => Promise.resolve())).toBeLessThan(20);
  });

  test('an error passes through and leaves nothing replaced', () => {
    const before = [String.prototype.replace, JSON.parse, RegExp.prototype.exec, URL];
    expect(() => countOperations(() => JSON.parse('{'))).toThrow(SyntaxError);
    expect([String.prototype.replace, JSON.parse, RegExp.prototype.exec, URL]).toEqual(before);
  });

  test('counting changes no result', () => {
    const run = (): unknown => [
      'a1b22c'.split(/\d+/),
      'aXbX'.replace(/x/gi, (match, at) => `${match}${at}`),
      [...'a1b2'.matchAll(/(?<letter>\w)(\d)/g)].map((match) => match.groups?.['letter']),
      'abc'.search(/c/),
      /b/y.test('ab'),
      new URL('/x?y=1', 'https://example.com').href,
      new URL('https://a.example') instanceof URL,
      [3, 1, 2].sort(),
      Buffer.from('é').toString('base64'),
      new Map([[1, 2]]).get(1),
    ];
    const plain = run();
    let counted: unknown;
    countOperations(() => (counted = run()));
    expect(counted).toEqual(plain);
  });
});
