import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.cache/readme-examples');

const examples = readdirSync(join(root, 'packages')).flatMap((name) => {
  const readme = readFileSync(join(root, 'packages', name, 'README.md'), { encoding: 'utf8' });
  return [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code], index) => ({
    name: `${name}-${index + 1}`,
    code: code ?? '',
  }));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every TypeScript block in a package README compiles against the built packages', () => {
  mkdirSync(folder, { recursive: true });
  const files = examples.map(({ name, code }) => {
    const file = join(folder, `${name}.ts`);
    writeFileSync(file, code);
    return file;
  });
  expect(files.length).toBeGreaterThan(2);
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    skipLibCheck: true,
  });
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) =>
        `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  expect(problems).toEqual([]);
}, 60_000);
