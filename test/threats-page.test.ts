import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCodes, readPage, readRows } from './doc-tables.js';
import { isTestFile, listSources, readSource } from './source-files.js';

const root = join(import.meta.dirname, '..');

/**
 * An id of a threat: `T` and a number, a letter from A to E and two digits, or `sec-` with B or W and a number. Nothing
 * may stand at either side that would make it part of something else: a colour, a path, an escape, an id like `S1-33`.
 */
const idPattern = String.raw`(?:sec-[BW][1-9]\d?|T(?:[1-9]|1\d|2[0-2])|[A-E]\d{2})`;
const idInText = new RegExp(String.raw`(?<![\w%#/.\\{-])${idPattern}(?![\w%.}-]\w|[\w%}-])`, 'g');
const rangeInText = new RegExp(String.raw`(?<![\w-])([A-E])(\d{2}) ?(?:–|…) ?\1(\d{2})(?![\w-])`, 'g');

/** The ids a text uses; `B01–B03` and `C10 … C12` are all that lie between, too. */
const findIds = (text: string): string[] => [
  ...[...text.matchAll(idInText)].map(([id]) => id),
  ...[...text.matchAll(rangeInText)].flatMap(([, letter = '', from = '', to = '']) =>
    Array.from(
      { length: Number(to) - Number(from) + 1 },
      (_, index) => `${letter}${String(Number(from) + index).padStart(2, '0')}`,
    ),
  ),
];

const page = readPage('docs/threats.md');
const rows = readRows(page).map(([id = '', attack = '', defence = '', where = '', tests = '']) => ({
  id,
  attack,
  defence,
  where: readCodes(where),
  tests: readCodes(tests),
}));

const listTexts = (): string[] => {
  const pages = ['.', ...['docs', 'docs/guide', 'docs/reference', 'docs/decisions']]
    .flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(folder, file)))
    .concat(readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`))
    .filter((file) => file.endsWith('.md') && file !== 'docs/threats.md' && existsSync(join(root, file)));
  const code = ['packages', 'examples', 'e2e', 'test', 'scripts', 'bench'].flatMap((folder) =>
    listSources(folder).filter((file) => /\.(?:ts|tsx|mjs|js|css)$/.test(file)),
  );
  // This test names ids that are none.
  return [...pages, ...code].filter((file) => file !== 'test/threats-page.test.ts');
};

test.each([
  ['a comment ends with one (E09).', ['E09']],
  ["test('sec-B12 T20 E08 three at once', …", ['sec-B12', 'T20', 'E08']],
  ['B01–B03 and C10 … C12', ['B01', 'B03', 'C10', 'C12', 'B01', 'B02', 'B03', 'C10', 'C11', 'C12']],
])('ids are found where there are some, case %#', (text, ids) => {
  expect(findIds(text)).toEqual(ids);
});

test.each([
  'S1-33 and HOST-029 are rows of other lists',
  'a colour #A05 or rgb(1 2 3), paper A4, a grid B6, a key F12',
  'an address %E2%80%AE or \\u{E0041} or U+E0100',
  'sec-fetch-site, T-shirt, T1000, AKIA0123, 2026-01-26T12:00',
  'E1 and F7 have no second digit',
])('no id is found where there is none, case %#', (text) => {
  expect(findIds(text)).toEqual([]);
});

test('every id has one row, written as an id is', () => {
  const ids = rows.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(100);
  expect(ids.filter((id) => !new RegExp(`^${idPattern}$`).test(id))).toEqual([]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every id that a source, a test or a page uses has a row, and every row is used', () => {
  const known = new Set(rows.map(({ id }) => id));
  const used = new Set<string>();
  const unknown: string[] = [];
  for (const file of listTexts()) {
    for (const id of findIds(readSource(file))) {
      used.add(id);
      if (!known.has(id)) unknown.push(`${file}: ${id}`);
    }
  }
  expect(unknown).toEqual([]);
  expect([...known].filter((id) => !used.has(id))).toEqual([]);
});

const toPath = (name: string): string => {
  if (/^(?:e2e|test)\//.test(name)) return name;
  const [folder = '', ...rest] = name.split('/');
  return ['packages', folder, 'src', ...rest].join('/');
};

test('every row says what is tried and what stops it, where, and which test shows it', () => {
  for (const { id, attack, defence, where, tests } of rows) {
    expect(attack.length, id).toBeGreaterThan(10);
    expect(defence.length, id).toBeGreaterThan(5);
    expect(where.length, id).toBeGreaterThan(0);
    expect(tests.length, id).toBeGreaterThan(0);
    expect(
      tests.filter((file) => !isTestFile(file)),
      id,
    ).toEqual([]);
    expect(
      where.filter((file) => isTestFile(file)),
      id,
    ).toEqual([]);
  }
});

test('every file that a row names exists', () => {
  const missing = rows.flatMap(({ id, where, tests }) =>
    [...where, ...tests]
      .filter((file) => !existsSync(join(root, toPath(file))))
      .map((file) => `${id}: ${file}`),
  );
  expect(missing).toEqual([]);
});

test('a row whose id stands in the title of a test names such a test', () => {
  const titled = new Map<string, string[]>();
  for (const file of listTexts().filter(isTestFile)) {
    for (const id of findIds(readSource(file))) titled.set(id, [...(titled.get(id) ?? []), file]);
  }
  const elsewhere = rows.filter(({ id, tests }) => {
    const files = titled.get(id);
    return files && !tests.some((file) => files.includes(toPath(file)));
  });
  expect(elsewhere.map(({ id, tests }) => `${id}: ${tests.join()} but ${titled.get(id)?.join()}`)).toEqual(
    [],
  );
});

test('no title of a test begins with an id that stands nowhere', () => {
  const known = new Set(rows.map(({ id }) => id));
  const strange = listTexts()
    .filter(isTestFile)
    .flatMap((file) =>
      [...readSource(file).matchAll(/['`"]([A-Z]\d{1,2}) (?=[a-z%])/g)]
        .filter(([, id = '']) => !known.has(id))
        .map(([, id]) => `${file}: ${id}`),
    );
  expect(strange).toEqual([]);
});
