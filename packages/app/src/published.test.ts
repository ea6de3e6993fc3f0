import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileBlocks } from '../../../test/compile-blocks.js';
import { appErrorCodes } from './session/errors.js';

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const dist = join(import.meta.dirname, '../dist');

const importsOf = (code: string): string[] =>
  [...code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, name = '']) => name);

test('what is published imports itself and, for the hooks, React: nothing has to be installed with it', () => {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:js|d\.ts)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(20);
  const foreign = files.flatMap((name) =>
    importsOf(readFileSync(join(dist, name), 'utf8'))
      .filter((imported) => !imported.startsWith('.') && !(imported === 'react' && name.startsWith('react/')))
      .map((imported) => `${name}: ${imported}`),
  );
  expect(foreign).toEqual([]);
});

test('the React example of the README compiles', () => {
  const blocks = [...readme.matchAll(/^```tsx\n(.*?)^```/gms)].map(([, code = '']) => code);
  expect(blocks).toHaveLength(1);
  expect(compileBlocks(blocks.map((code) => ({ file: 'readme.tsx', code })))).toEqual([]);
}, 60_000);

test('the README explains every code of an error, and no other', () => {
  const [, table = ''] = /\| `code` \| \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(readme) ?? [];
  const explained = table
    .split('\n')
    .flatMap((row) => (row.split('|')[1] ?? '').match(/(?<=`)[a-z-]+(?=`)/g) ?? []);
  expect(explained.toSorted()).toEqual(appErrorCodes.toSorted());
});
