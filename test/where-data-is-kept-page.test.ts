import ts from 'typescript';
import { expect, test } from 'vitest';
import { readCodes, readPage, readRows, readSection } from './doc-tables.js';
import { isTestFile, listSources, readSource } from './source-files.js';

const page = readPage('docs/reference/where-data-is-kept.md');

/** The code that users run: sources of the packages without their tests. */
const sources = listSources('packages')
  .filter((file) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file) && !isTestFile(file))
  .map((file) => ({ file, tree: ts.createSourceFile(file, readSource(file), ts.ScriptTarget.ESNext, true) }));

const walk = (node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
};

/** A text of the source; what is put into it stands as `<n>`. */
const readText = (node: ts.Node): string | undefined => {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `<n>${literal.text}`).join('');
};

const filesWith = (isMeant: (node: ts.Node) => boolean): string[] =>
  sources
    .filter(({ tree }) => {
      let isFound = false;
      walk(tree, (node) => (isFound ||= isMeant(node)));
      return isFound;
    })
    .map(({ file }) => file);

test('the page has one row for every key of the browser’s storage that the sources name', () => {
  const keys = new Set<string>();
  for (const { tree } of sources) {
    walk(tree, (node) => {
      const text = readText(node);
      if (text !== undefined && /^casement\.(?!localhost)[a-z][\w.<>-]*$/.test(text)) keys.add(text);
    });
  }
  const rows = readRows(readSection(page, 'In the browser, by the inspector')).map(([key = '']) =>
    readCodes(key).join(),
  );
  expect(keys.size).toBeGreaterThan(3);
  expect(rows.toSorted()).toEqual([...keys].toSorted());
});

test('only the inspector opens a storage of the browser; a loader looks whether there is one, and something in it', () => {
  const stores = new Set(['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore', 'cookie']);
  const files = filesWith((node) => ts.isIdentifier(node) && stores.has(node.text));
  expect(new Set(files.map((file) => file.split('/')[1]))).toEqual(new Set(['inspector', 'sandbox']));
  expect(files.filter((file) => file.startsWith('packages/sandbox/'))).toEqual([
    'packages/sandbox/src/pages/loader/handover.ts',
    'packages/sandbox/src/pages/loader/page-view.ts',
  ]);
});

test('five files of the sources write files, and write those that the page names', () => {
  const writers = filesWith(
    (node) =>
      ts.isIdentifier(node) &&
      /^(?:writeFile|appendFile|createWriteStream|copyFile|mkdir|mkdtemp|symlink|link|rename)(?:Sync)?$/.test(
        node.text,
      ) &&
      ts.isImportSpecifier(node.parent),
  );
  expect(writers.map((file) => file.split('/').at(-1))).toEqual([
    'compile-cache.ts',
    'kept-files.ts',
    'server-identity.ts',
    'record-store.ts',
    'store-key.ts',
  ]);
  const [cache = '', , salt = '', records = '', key = ''] = writers;
  expect(readSource(records)).toContain("'sign-ins'");
  expect(readSource(key)).toContain("'sign-in.key'");
  const entries = 'packages/gateway/src/entries/store.ts';
  for (const word of ["'servers.json'", "'secrets.json'", "'confirmations.json'"])
    expect(readSource(entries)).toContain(word);
  for (const word of ['XDG_CONFIG_HOME', 'APPDATA', "'.config', 'casement'"])
    expect(readSource('packages/gateway/src/facts/config-dir.ts')).toContain(word);
  for (const word of ["'salt'", 'XDG_STATE_HOME', 'LOCALAPPDATA', "'.local', 'state', 'casement'"])
    expect(readSource(salt)).toContain(word);
  for (const word of ["'compiled'", 'XDG_CACHE_HOME', 'LOCALAPPDATA', "'casement', 'cache'", "'.cache'"])
    expect(readSource(cache)).toContain(word);
  const rows = readRows(readSection(page, 'In files'));
  expect(rows.map(([file = '']) => readCodes(file))).toEqual([
    ['salt', '$XDG_STATE_HOME/casement', '%LOCALAPPDATA%\\casement', '~/.local/state/casement'],
    ['compiled', '$XDG_CACHE_HOME/casement', '%LOCALAPPDATA%\\casement\\cache', '~/.cache/casement'],
    ['servers.json', '$XDG_CONFIG_HOME/casement', '%APPDATA%\\casement', '~/.config/casement'],
    ['secrets.json'],
    ['confirmations.json'],
    ['sign-ins', '$XDG_STATE_HOME/casement', '%LOCALAPPDATA%\\casement', '~/.local/state/casement'],
    ['sign-in.key'],
  ]);
});
