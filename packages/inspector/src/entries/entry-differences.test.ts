import type { EntryView } from '@casement/gateway';
import { expect, test } from 'vitest';
import { toDifferences } from './entry-differences.js';

type Command = Extract<EntryView, { kind: 'stdio' }>;
type Address = Extract<EntryView, { kind: 'http' }>;

const base: Pick<EntryView, 'name' | 'source' | 'enabled' | 'confirmed' | 'inputs' | 'reads'> = {
  name: 'a',
  source: 'kept',
  enabled: true,
  confirmed: false,
  inputs: [],
  reads: [],
};
const before: Command = {
  ...base,
  hash: '1',
  kind: 'stdio',
  command: 'node',
  args: ['a.js', '--safe'],
  cwd: '/srv',
  env: [
    { name: 'A', text: '1', reads: [] },
    { name: 'KEY', secret: true, reads: [] },
  ],
};
const web: Address = {
  ...base,
  hash: '1',
  kind: 'http',
  url: 'https://a.example/',
  headers: [{ name: 'X', text: '1', reads: [] }],
};

test('names every part of a command that is another', () => {
  const env = [
    { name: 'A', text: '2', reads: [] },
    { name: 'NODE_OPTIONS', text: '--require x', reads: [] },
  ];
  const after: Command = { ...before, hash: '2', command: 'sh', args: ['a.js'], cwd: '/tmp', env };
  expect(toDifferences(before, after)).toEqual([
    'the program is another',
    'argument 2 is gone',
    'the folder is another',
    'the variable A is another',
    'the variable NODE_OPTIONS is new',
    'the variable KEY is gone',
  ]);
  expect(toDifferences(before, { ...before, hash: '2', args: ['b.js', '--safe', '-x'] })).toEqual([
    'argument 1 is another',
    'argument 3 is new',
  ]);
});

test('names every part of an address that is another', () => {
  const headers = [{ name: 'X', secret: true as const, reads: [] }];
  expect(
    toDifferences(web, { ...web, hash: '2', url: 'https://b.example/', transport: 'sse', headers }),
  ).toEqual(['the address is another', 'the transport is another', 'the header X is another']);
  expect(toDifferences(before, { ...web, hash: '2' })).toEqual(['it was a command and is an address now']);
});

test('says that what is not shown is another, and nothing of what is the same', () => {
  expect(toDifferences(before, { ...before, hash: '2' })).toEqual(['a value that is not shown is another']);
  expect(toDifferences(before, { ...before })).toEqual([]);
});
