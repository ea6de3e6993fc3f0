import { describe, expect, test } from 'vitest';
import { findExcess } from './list-entry-excess.js';

/** As it comes from a server: parsed. */
const parse = (json: string): unknown => JSON.parse(json);

describe('too much in an entry of a list', () => {
  test.each([
    ['a long name of a member', `{"${'k'.repeat(2_000_000)}":1}`, 'longer than'],
    ['a long text', `{"name":"${'n'.repeat(2_000_000)}"}`, 'longer than'],
    ['many members', `{"x":{${Array.from({ length: 100_001 }, (_, i) => `"${i}":0`).join()}}}`, 'values'],
    ['many lists', `{"x":[${'[],'.repeat(100_001)}0]}`, 'values'],
    ['depth', `{"__proto__":${'['.repeat(200)}${']'.repeat(200)}}`, '__proto__ is nested more than 128'],
  ])('is found in %s', (_what, json, why) => {
    expect(findExcess(parse(json))?.why).toContain(why);
  });

  // What it costs: test/bounded-work.test.ts.
  test('is found in millions of values', () => {
    const entry = parse(`{"name":"x","inputSchema":[${'0,'.repeat(7_900_000)}0]}`);
    expect(findExcess(entry)?.why).toContain('100000 values');
  });

  test('is not found in an ordinary tool', () => {
    expect(findExcess({ name: 'x', inputSchema: { type: 'object', required: ['a'] } })).toBeUndefined();
  });
});
