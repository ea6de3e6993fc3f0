import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileBlocks } from '../../../test/compile-blocks.js';

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```tsx\n(.*?)^```/gms)].map(([, code = '']) => code);

test('the example of the README compiles against the built packages', () => {
  expect(blocks).toHaveLength(1);
  expect(compileBlocks(blocks.map((code) => ({ file: 'readme.tsx', code })))).toEqual([]);
}, 60_000);
