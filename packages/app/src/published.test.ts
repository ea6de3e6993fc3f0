import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
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
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```tsx\n(.*?)^```/gms)].map(([, code = '']) => code);
  expect(blocks).toHaveLength(1);
  const folder = join(root, '.cache/app-readme');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'readme.tsx');
  writeFileSync(file, blocks.join('\n'));
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    jsx: ts.JsxEmit.ReactJSX,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    skipLibCheck: true,
  });
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  rmSync(folder, { recursive: true, force: true });
  expect(problems).toEqual([]);
}, 60_000);
