import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileBlocks } from './compile-blocks.js';

const packages = join(import.meta.dirname, '../packages');

const examples = readdirSync(packages).flatMap((name) => {
  const readme = readFileSync(join(packages, name, 'README.md'), { encoding: 'utf8' });
  return [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ''], index) => ({
    file: `${name}-${index + 1}.ts`,
    code,
  }));
});

test('every TypeScript block in a package README compiles against the built packages', () => {
  expect(examples.length).toBeGreaterThan(2);
  expect(compileBlocks(examples, ['node'])).toEqual([]);
}, 60_000);
