import { expect, test } from 'vitest';
import type { CspReport } from './gateway-client.js';
import { keepReport } from './kept-reports.js';

const toReport = (appOrigin: string, index: number): CspReport => ({
  appOrigin,
  directive: 'img-src',
  blockedUri: `https://a.example/${index}`,
});

const keepMany = (
  reports: readonly CspReport[],
  { app, count }: { app: string; count: number },
): readonly CspReport[] =>
  Array.from({ length: count }, (_, index) => toReport(app, index)).reduce(keepReport, reports);

test('an app that is blocked all day pushes out its own reports alone', () => {
  const quiet = keepMany([], { app: 'http://quiet.localhost', count: 2 });
  const all = keepMany(quiet, { app: 'http://loud.localhost', count: 5_000 });
  expect(all.slice(0, 2)).toEqual(quiet);
  const loud = all.slice(2);
  expect(loud).toHaveLength(250);
  expect(loud.at(-1)).toEqual(toReport('http://loud.localhost', 4_999));
});

test('a thousand are kept of all apps together', () => {
  const all = Array.from({ length: 2_000 }, (_, index) => toReport(`http://a${index}.localhost`, 0));
  expect(all.reduce<readonly CspReport[]>(keepReport, [])).toEqual(all.slice(-1_000));
});
