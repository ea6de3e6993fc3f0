import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCodes, readPage, readSection } from './doc-tables.js';
import { listSources, readSource } from './source-files.js';

const root = join(import.meta.dirname, '..');
const page = readPage('CONTRIBUTING.md');

const sources = ['packages', 'examples', 'e2e', 'test', 'scripts'].flatMap(listSources);
const isFileName = /^[\w./-]+\.(?:ts|tsx|mjs|js|json|md)$/;

test('every file and folder that the page names is there', () => {
  const named = [...new Set(readCodes(page))].filter(
    (code) => isFileName.test(code) || /^(?:e2e|test|docs)\//.test(code),
  );
  expect(named.length).toBeGreaterThan(40);
  const missing = named.filter((name) =>
    name.includes('/')
      ? !existsSync(join(root, name))
      : !existsSync(join(root, name)) && !sources.some((file) => file.endsWith(`/${name}`)),
  );
  expect(missing).toEqual([]);
});

test('a file that a recipe names by its last part is one file, or the recipe says whose', () => {
  const recipes = readSection(page, 'Recipes').split('\n');
  const unclear = recipes.flatMap((line) =>
    readCodes(line)
      .filter((code) => isFileName.test(code) && !code.includes('/') && !code.endsWith('.json'))
      .filter((name) => sources.filter((file) => file.endsWith(`/${name}`)).length > 1)
      .filter((name) => !new RegExp(`\`${name.replace('.', '\\.')}\` of the `).test(page)),
  );
  expect(unclear).toEqual([]);
});

test('there is a recipe for everything that is added often', () => {
  const recipes = readSection(page, 'Recipes');
  for (const what of [
    'message an app may send',
    'message the host sends',
    'failure',
    'finding',
    'port',
    'family',
    'panel',
  ])
    expect(recipes).toMatch(new RegExp(`^\\*\\*Add (?:a|an|the) ${what}`, 'm'));
});

test('every command that the page names is a script of the workspace', () => {
  const { scripts } = JSON.parse(readSource('package.json')) as { scripts: Record<string, string> };
  const named = readCodes(page).flatMap((code) => {
    const [, run, plain] = /^npm (?:run ([\w:]+)|(start|test)\b)/.exec(code) ?? [];
    return run ?? plain ?? [];
  });
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
