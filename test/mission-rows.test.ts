import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { missionRows } from './mission-rows.js';

const counts = { S1: 128, S2: 49, S3: 81, S4: 33, S5: 98 };

describe('the mission rows', () => {
  test('run without gap or repetition through every document', () => {
    const expected = Object.entries(counts).flatMap(([document, count]) =>
      Array.from({ length: count }, (_, index) => `${document}-${String(index + 1).padStart(2, '0')}`),
    );
    expect(missionRows.map((row) => row.id)).toEqual(expected);
  });

  // JSON keeps the last of two equal keys in silence, so the files themselves are counted.
  test.each(['s1', 's2', 's3', 's4', 's5', 'superseded'])('are written once each in %s.json', (name) => {
    const text = readFileSync(join(import.meta.dirname, 'mission', `${name}.json`), 'utf8');
    const ids = [...text.matchAll(/^ {2}"([^"]+)":/gm)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids).toEqual(Object.keys(JSON.parse(text)));
  });

  test('each say something, and no two the same', () => {
    expect(missionRows.filter((row) => row.text.trim().length < 10).map((row) => row.id)).toEqual([]);
    expect(new Set(missionRows.map((row) => row.text)).size).toBe(missionRows.length);
  });

  test('name what takes the place of each superseded row', () => {
    const text = readFileSync(join(import.meta.dirname, 'mission/superseded.json'), 'utf8');
    const replaced = missionRows.filter((row) => row.supersededBy !== undefined);
    expect(replaced.map((row) => row.id).toSorted()).toEqual(Object.keys(JSON.parse(text)).toSorted());
    expect(replaced.filter((row) => row.supersededBy?.trim() === '')).toEqual([]);
    expect(replaced).toHaveLength(26);
  });
});

// Each test starts processes, which a busy machine can hold up for longer than the usual five seconds.
describe('the traceability script', { timeout: 60_000 }, () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'casement-traceability-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const toTest = (title: string, status = 'passed', ancestorTitles: string[] = []) => ({
    ancestorTitles,
    title,
    status,
    duration: Math.random(),
  });

  const trace = (...assertionResults: readonly ReturnType<typeof toTest>[]) => {
    const report = join(folder, 'report.json');
    const out = join(folder, 'traceability.json');
    writeFileSync(report, JSON.stringify({ testResults: [{ name: report, assertionResults }] }));
    const script = join(import.meta.dirname, '../scripts/traceability.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, report, '--out', out], {
      encoding: 'utf8',
    });
    return { status, stdout, stderr, read: () => readFileSync(out, 'utf8') };
  };

  test('lists per row the tests that passed and counts per document', () => {
    const { status, stdout, read } = trace(
      toTest('S1-33 S1-34 takes nothing from strangers'),
      toTest('looks at the source', 'passed', ['S1-33 the frame']),
      toTest('S1-29 only narrows the flags'),
      toTest('S2-01 has not run', 'pending'),
      toTest('HOST-029 holds back what came early'),
      toTest('no row at all'),
    );
    expect(status).toBe(0);
    const { rows, documents } = JSON.parse(read());
    expect(rows['S1-33']).toEqual({
      status: 'done',
      tests: ['S1-33 S1-34 takes nothing from strangers', 'S1-33 the frame looks at the source'],
    });
    expect(rows['S1-34'].status).toBe('done');
    expect(rows['S1-29']).toEqual({ status: 'superseded', tests: ['S1-29 only narrows the flags'] });
    expect(rows['S1-76']).toEqual({ status: 'missing', tests: [] });
    expect(rows['S2-01']).toEqual({ status: 'missing', tests: [] });
    expect(rows['HOST-029'].status).toBe('done');
    expect(documents.S1).toEqual({ done: 2, superseded: 1, missing: 125 });
    expect(stdout).toContain('S1: 2 done, 1 superseded, 125 missing\nS2: 0 done, 0 superseded, 49 missing\n');
    expect(stdout).toMatch(/^HOST: 1 done, 0 superseded, \d+ missing$/m);
  });

  test('takes a row back when one of its tests failed', () => {
    const { read } = trace(toTest('S1-33 in one place'), toTest('S1-33 in another', 'failed'));
    expect(JSON.parse(read()).rows['S1-33']).toEqual({ status: 'missing', tests: ['S1-33 in one place'] });
  });

  test('writes the same file whatever the order of the tests and whatever time they took', () => {
    const tests = ['S1-33 b', 'S1-33 a', 'S1-33 a', 'S5-98 c'];
    const first = trace(...tests.map((title) => toTest(title))).read();
    expect(trace(...tests.toReversed().map((title) => toTest(title))).read()).toBe(first);
    expect(first).not.toContain(folder);
  });

  test.each(['S1-129', 'S1-1', 'S1-33a', 'S6-01', 'HOST-999'])(
    'refuses the unknown id %# and names its test',
    (id) => {
      const { status, stderr, read } = trace(toTest(`${id} is nowhere`, 'failed'));
      expect(status).toBe(1);
      expect(stderr).toContain(`${id} in "${id} is nowhere"`);
      expect(read).toThrow('ENOENT');
    },
  );

  test('refuses a file that is no report', () => {
    const script = join(import.meta.dirname, '../scripts/traceability.mjs');
    const noReport = join(import.meta.dirname, 'mission/s1.json');
    const { status, stderr } = spawnSync(process.execPath, [script, noReport, '--out', join(folder, 'x')], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('is not a vitest JSON report');
  });
});
