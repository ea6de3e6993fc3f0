import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCodes, readPage, readRows, readSection } from './doc-tables.js';
import { readSource } from './source-files.js';

const root = join(import.meta.dirname, '..');
const page = readPage('ARCHITECTURE.md');

test('the page has fewer than 150 lines', () => {
  expect(page.split('\n').length).toBeLessThan(150);
});

test('the table of packages has every package, and what its manifest says it builds on', () => {
  const rows = readRows(readSection(page, 'Packages')).map(([folder = '', , built = '']) => ({
    folder: readCodes(folder).join(),
    builtOn: readCodes(built).toSorted(),
  }));
  const real = readdirSync(join(root, 'packages')).map((name) => {
    const manifest: unknown = JSON.parse(readSource(`packages/${name}/package.json`));
    const {
      dependencies = {},
      peerDependencies = {},
      devDependencies = {},
    } = manifest as Record<string, Record<string, string>>;
    // The command is a bundle: what it is built on is in it, and not installed with it.
    const bundled = name === 'casement' ? devDependencies : {};
    const ours = Object.keys({ ...dependencies, ...peerDependencies, ...bundled })
      .filter((dependency) => dependency.startsWith('@casement/'))
      .map((dependency) => dependency.slice('@casement/'.length));
    return { folder: `packages/${name}`, builtOn: ours.toSorted() };
  });
  const byFolder = (one: { folder: string }, other: { folder: string }): number =>
    one.folder.localeCompare(other.folder);
  expect(rows.toSorted(byFolder)).toEqual(real.toSorted(byFolder));
});

test('every page that the text links to is there', () => {
  const links = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(4);
  expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
});
