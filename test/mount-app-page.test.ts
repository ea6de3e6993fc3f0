import { expect, test } from 'vitest';
import { defaultLimits } from '../packages/host/src/core/limits.js';
import { readCodes, readPage, readRows, readSection } from './doc-tables.js';
import { readTypes } from './read-types.js';

const page = readPage('docs/reference/mount-app.md');

// By way of mountApp itself, so that the page is about what a caller can really pass.
const types = readTypes(`
  import { createSession, mountApp } from '@casement/host';
  import { prepareApp } from '@casement/host/prepare';
  export type Options = Parameters<typeof mountApp>[1];
  export type SessionOptions = Parameters<typeof createSession>[0];
  export type Controls = ReturnType<typeof mountApp>;
  export type Prepared = ReturnType<typeof prepareApp>;
  export type Limits = NonNullable<Options['limits']>;
`);
const membersOf = (type: string) => types.get(type)?.members ?? [];
const namesOf = (type: string): string[] => membersOf(type).map(({ name }) => name);

const rowsOf = (heading: string) =>
  readRows(readSection(page, heading)).map(([name = '', ...cells]) => ({
    name: readCodes(name).join(),
    last: cells.at(-1) ?? '',
  }));
const sorted = (names: readonly string[]): string[] => names.toSorted();

test('the page has one row for every option of mountApp and no other', () => {
  const rows = rowsOf('Options');
  expect(rows.length).toBeGreaterThan(40);
  expect(sorted(rows.map(({ name }) => name))).toEqual(sorted(namesOf('Options')));
});

test('the options that only a page has stand by themselves', () => {
  const ofSession = new Set(namesOf('SessionOptions'));
  const onlyOfPage = namesOf('Options').filter((name) => !ofSession.has(name));
  expect(sorted(rowsOf('Only in a page').map(({ name }) => name))).toEqual(sorted(onlyOfPage));
});

test('an option that cannot be left out is said to be required', () => {
  const required = membersOf('Options').filter(({ isRequired }) => isRequired);
  const said = rowsOf('Options').filter(({ last }) => last === 'required');
  expect(sorted(said.map(({ name }) => name))).toEqual(sorted(required.map(({ name }) => name)));
});

test('the page has one row for every control of a mounted app and no other', () => {
  expect(sorted(rowsOf('Controls').map(({ name }) => name))).toEqual(sorted(namesOf('Controls')));
});

test('the page has one row for every control of a prepared app and no other', () => {
  expect(sorted(rowsOf('Before anybody asks').map(({ name }) => name))).toEqual(sorted(namesOf('Prepared')));
});

test('the page has one row for every limit, with the default that is in force', () => {
  const rows = rowsOf('Limits');
  expect(sorted(rows.map(({ name }) => name))).toEqual(sorted(namesOf('Limits')));
  const said = new Map(rows.map(({ name, last }) => [name, Number(last.replaceAll(',', ''))]));
  for (const [name, value] of Object.entries(defaultLimits)) expect(said.get(name), name).toBe(value);
});
