import { expect, test } from 'vitest';
import { readStackPlaces } from './index.js';

test('reads the places of a stack of Chromium', () => {
  const stack = `TypeError: no
    at fail (http://a.localhost:6271/app?v=1&p=x:3:15)
    at async Promise.all (index 0)
    at https://cdn.example/x.js:1:20345
    at eval (eval at run (http://a.localhost:6271/app:1:1), <anonymous>:1:1)
    at <anonymous>:9:12
    at <anonymous>`;
  expect(readStackPlaces(stack)).toEqual([
    { sourceFile: 'http://a.localhost:6271/app', line: 3, column: 15 },
    { sourceFile: 'https://cdn.example/x.js', line: 1, column: 20345 },
    { sourceFile: '<anonymous>', line: 9, column: 12 },
  ]);
});

test('reads the places of a stack of Firefox and WebKit', () => {
  expect(
    readStackPlaces('fail@http://a.localhost:6271/app?v=1:3:15\n@https://cdn.example/x.js:1:2\n'),
  ).toEqual([
    { sourceFile: 'http://a.localhost:6271/app', line: 3, column: 15 },
    { sourceFile: 'https://cdn.example/x.js', line: 1, column: 2 },
  ]);
});

test('reads what Firefox says of a script of a document that is written', () => {
  const stack =
    'fail@http://a.localhost:6271/app?v=1&p=x line 1 > injectedScript:5:28\nf@http://a.localhost:6271/app line 3 > eval:1:1\n';
  expect(readStackPlaces(stack)).toEqual([
    { sourceFile: 'http://a.localhost:6271/app', line: 5, column: 28 },
  ]);
});

test('reads no more than the beginning of a stack, and nothing from what is none', () => {
  expect(readStackPlaces('at x:1:1\n'.repeat(100_000))).toHaveLength(20);
  expect(readStackPlaces(`${'x'.repeat(9_000)}\nat y:1:1`)).toEqual([]);
  expect(readStackPlaces(':1:1\n::\nat (:2:3)\nat z:99999999999:1')).toEqual([]);
});
