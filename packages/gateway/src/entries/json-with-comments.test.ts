import { describe, expect, test } from 'vitest';
import { parseJsonWithComments } from './json-with-comments.js';

describe('JSON with comments', () => {
  test.each([
    ['plain JSON', '{"a":[1,2,{"b":null}]}', { a: [1, 2, { b: null }] }],
    ['a line comment', '{ // the server\n "a": 1 // one\n}', { a: 1 }],
    ['a block comment', '/* first */ {"a": /* over\ntwo lines */ 1}', { a: 1 }],
    ['trailing commas', '{"a": [1, 2, ], /* last */ }', { a: [1, 2] }],
    ['a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
    ['addresses in strings', '{"url":"https://example.com/a//b"}', { url: 'https://example.com/a//b' }],
    ['comments in strings', '{"a":"/* no */ // no","b":",]"}', { a: '/* no */ // no', b: ',]' }],
    ['escaped quotes', '{"a":"\\"// no","b":"\\\\"} // yes "', { a: '"// no', b: '\\' }],
    ['a comment with a quote', '{"a":1} // it\'s "quoted', { a: 1 }],
    ['a name that comes twice: the last counts', '{"a":1,"a":2}', { a: 2 }],
  ])('%s', (_what, text, value) => {
    expect(parseJsonWithComments(text)).toEqual(value);
  });

  test.each([
    ['an open block comment', '{"a":1} /* never ends'],
    ['an open string', '{"a":"// x\n}'],
    ['a bare word', '{a:1}'],
    ['two commas', '[1,,2]'],
    ['only a comment', '// nothing'],
    ['a comma alone', '[,]'],
  ])('%s is refused', (_what, text) => {
    expect(() => parseJsonWithComments(text)).toThrow(SyntaxError);
  });

  test('__proto__ is a name like any other', () => {
    expect(Object.keys(parseJsonWithComments('{"__proto__": {"a": 1}}') as object)).toEqual(['__proto__']);
  });

  test('a refusal names the place in the file, whatever stood before it', () => {
    const text = '\uFEFF{ // one\n /* two */ "a": [1,]\n "b": 2 }';
    expect(() => parseJsonWithComments(text)).toThrow(`position ${text.indexOf('"b"')}`);
  });

  test('deep nesting needs no stack', () => {
    const depth = 100_000;
    expect(() => parseJsonWithComments('['.repeat(depth) + ']'.repeat(depth))).not.toThrow();
  });

  test('a megabyte of slashes or quotes takes no time worth speaking of', () => {
    for (const part of ['/', '"', '/*', '\\"', ',', '"\\'])
      expect(() => parseJsonWithComments(`[${part.repeat(100_000)}`)).toThrow(SyntaxError);
  });
});
