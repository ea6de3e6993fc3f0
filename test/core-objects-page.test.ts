import { expect, test } from 'vitest';
import { readPage } from './doc-tables.js';
import { isTestFile, listSources, readSource } from './source-files.js';

const page = readPage('docs/reference/core-objects.md');

/** The lines of the drawing: each factory with the one that creates it. */
const readDrawing = (): readonly { readonly name: string; readonly parent: string | undefined }[] => {
  const [, drawing = ''] = /```text\n(.*?)```/s.exec(page) ?? [];
  const path: string[] = [];
  return drawing
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, branch = '', name = ''] = /^([│├└─ ]*)(\w+) {2,}\S/.exec(line) ?? [];
      const depth = branch.length / 3;
      path.splice(depth, path.length, name);
      return { name, parent: depth === 0 ? undefined : path[depth - 1] };
    });
};

test('every line of the drawing is a factory, and is created by the one above it', () => {
  const lines = readDrawing();
  expect(lines.length).toBeGreaterThan(20);
  const sources = listSources('packages')
    .filter((file) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file) && !isTestFile(file))
    .map(readSource);
  const declares = (name: string) => (text: string) => new RegExp(`export const ${name}\\b`).test(text);
  const faults = lines.flatMap(({ name, parent }) => {
    if (!sources.some(declares(name))) return [`${name} is not there`];
    if (parent === undefined) return [];
    const isCreated = sources.some(
      (text) => declares(parent)(text) && new RegExp(`\\b${name}\\(`).test(text),
    );
    return isCreated ? [] : [`${parent} does not call ${name}`];
  });
  expect(faults).toEqual([]);
});
