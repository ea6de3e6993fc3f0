import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browserTable, toMarkdown } from '../e2e/browsers/support/browser-table.js';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test('the README’s table of browsers is the one the tests are about', () => {
  expect(read('README.md')).toContain(toMarkdown(browserTable));
});

test.each(browserTable)('"$what" has its test', ({ test: [file, title] }) => {
  expect(read(`e2e/browsers/${file}`)).toContain(title);
});

test('CI runs the smoke, in Firefox and in WebKit', () => {
  expect(read('.ci/run')).toMatch(/npm test -- .*--smoke/);
  expect(read('e2e/browsers/smoke.test.ts')).toContain("['firefox', 'webkit']");
});
