import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readToolUi } from '@casement/protocol/resource';
import { expect, test } from 'vitest';
import { readCodes, readPage, readRows } from './doc-tables.js';
import { isTestFile, listSources, readSource } from './source-files.js';
import { verifies } from './verifies.js';

const page = readPage('docs/glossary.md');
const rows = readRows(page).map(([word = '', meaning = '', names = '']) => ({
  word: word.replaceAll('**', ''),
  meaning,
  names: readCodes(names),
}));
const meanings = new Map(rows.map(({ word, meaning }) => [word, meaning]));

verifies('S1-15', 'the glossary defines host, app, sandbox proxy and the link from a tool to its UI', () => {
  expect(meanings.get('host')).toMatch(/embeds an app/);
  expect(meanings.get('app')).toMatch(/View.*guest UI/);
  expect(meanings.get('proxy')).toMatch(/between host and app.*sandbox proxy/);
  expect(meanings.get('link')).toMatch(/tool–UI linkage.*_meta\.ui\.resourceUri/);
  // The two spellings it names are the ones that work.
  expect(readToolUi({ _meta: { ui: { resourceUri: 'ui://a/b' } } }).resourceUri).toBe('ui://a/b');
  expect(readToolUi({ _meta: { 'ui/resourceUri': 'ui://a/b' } }).resourceUri).toBe('ui://a/b');
});

test('every word stands once, in the order of the alphabet, with a meaning', () => {
  const words = rows.map(({ word }) => word);
  expect(words.length).toBeGreaterThan(40);
  expect(words).toEqual([...new Set(words)].toSorted((one, other) => one.localeCompare(other)));
  expect(rows.filter(({ meaning }) => meaning.length < 10).map(({ word }) => word)).toEqual([]);
});

test('the sources have every name that the glossary gives', () => {
  const code = listSources('packages')
    .filter((file) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file) && !isTestFile(file))
    .map(readSource)
    .join('\n');
  const declared = new Set(
    [...code.matchAll(/(?:const|function|class|interface|type|readonly) +(\w+)/g)].map(([, name]) => name),
  );
  const missing = rows.flatMap(({ word, names }) =>
    names.filter((name) => !declared.has(name)).map((name) => `${word}: ${name}`),
  );
  expect(missing).toEqual([]);
  // A word that nothing in the code is called by says so itself.
  for (const { word, meaning, names } of rows)
    if (names.length === 0) expect(meaning, word).toMatch(/nothing/);
});

test('every page that the glossary links to is there', () => {
  const links = [...page.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(2);
  expect(links.filter((link) => !existsSync(join(import.meta.dirname, '../docs', link)))).toEqual([]);
});
