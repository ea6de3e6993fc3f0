import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { opaqueHosts } from '../packages/checks/src/doctor/storage-hosts.js';
import { doctorStages } from '../packages/checks/src/doctor/stage-case.js';
import { readCodes, readPage, readRows, readSection } from './doc-tables.js';
import { readSource } from './source-files.js';

const page = readPage('docs/reference/doctor.md');

const listCodes = (folder: string, names: RegExp): string[] =>
  readdirSync(join(import.meta.dirname, '..', folder))
    .filter((name) => names.test(name) && !name.includes('.test'))
    .flatMap((name) => [...readSource(`${folder}/${name}`).matchAll(/\bcode: '([a-z-]+)'/g)])
    .flatMap(([, code]) => code ?? []);

const codesOf = (heading: string): string[] =>
  readRows(readSection(page, heading)).flatMap(([cell = '']) => readCodes(cell));

test('docs/reference/doctor.md has the stages in their order', () => {
  expect(codesOf('Stages')).toEqual([...doctorStages]);
});

test.each([
  ['What the app does', 'packages/checks/src/doctor', /-findings\.ts$|^load-troubles\.ts$/],
  ['What a server declares, returns and serves', 'packages/checks/src/rules', /\.ts$/],
])('docs/reference/doctor.md: "%s" has every code and no other', (heading, folder, names) => {
  const other = heading === 'What the app does' ? [] : ['relative-address'];
  const known = [...new Set(listCodes(folder, names))].filter((code) => !other.includes(code));
  expect(known.length).toBeGreaterThan(10);
  expect(codesOf(heading).toSorted()).toEqual(known.toSorted());
});

test('docs/reference/doctor.md names the hosts that findings name, with their sources', () => {
  const rows = readRows(readSection(page, 'Hosts with an opaque origin'));
  expect(rows).toEqual(opaqueHosts.map(({ name, source }) => [name, `<${source}>`]));
});
