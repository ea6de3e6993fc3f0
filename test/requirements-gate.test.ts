import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { requirements } from '@casement/protocol/requirements';
import { expect, test } from 'vitest';
import { owedRequirements } from './owed-requirements.js';

const root = join(import.meta.dirname, '..');
const skipped = new Set(['node_modules', 'dist', '.cache', '.git']);

const testFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !skipped.has(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return testFiles(path);
      return entry.name.endsWith('.test.ts') ? [path] : [];
    });

const citedIds = (): Set<string> => {
  const cited = new Set<string>();
  for (const file of testFiles(root)) {
    for (const [, argument] of readFileSync(file, 'utf8').matchAll(/\bverifies\(\s*(\[[^\]]*\]|'[^']*')/g)) {
      for (const [id] of (argument ?? '').matchAll(/(?:HOST|SANDBOX|VIEW|SERVER)-\d{3}/g)) cited.add(id);
    }
  }
  return cited;
};

const bindsUs = requirements.filter((row) => row.actor === 'host' || row.actor === 'sandbox');

test('every MUST and SHOULD row that binds a host or sandbox is cited by a test or listed as owed', () => {
  const cited = citedIds();
  const orphans = bindsUs
    .filter((row) => row.level !== 'MAY' && !cited.has(row.id) && !owedRequirements.includes(row.id))
    .map((row) => row.id);
  expect(orphans).toEqual([]);
});

test('a row that a test proves is no longer owed', () => {
  const cited = citedIds();
  expect(owedRequirements.filter((id) => cited.has(id))).toEqual([]);
});

test('every owed id is a row, once', () => {
  const known = new Set(bindsUs.map((row) => row.id));
  expect(owedRequirements.filter((id) => !known.has(id))).toEqual([]);
  expect(new Set(owedRequirements).size).toBe(owedRequirements.length);
});

test('every MAY row that binds us states our choice', () => {
  expect(bindsUs.filter((row) => row.level === 'MAY' && !row.choice).map((row) => row.id)).toEqual([]);
});

test('all 172 rows are kept', () => {
  expect(new Set(requirements.map((row) => row.id)).size).toBe(172);
});
