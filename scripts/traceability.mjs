// node scripts/traceability.mjs <vitest JSON report> [--out <file>]
// Writes which rows the passed tests of a run prove (test/traceability.json) and prints the counts per document.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requirements } from '@casement/protocol/requirements';
import { format, resolveConfig } from 'prettier';
import { root, runMain } from './lib/run.mjs';

const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));

const readMission = (name) => readJson(join(root, 'test/mission', `${name}.json`));

/** Every id in the order it is reported; the document of a row is what stands before its hyphen. */
const readIds = async () => {
  const mission = await Promise.all(['s1', 's2', 's3', 's4', 's5'].map(readMission));
  const spec = requirements.map((row) => row.id).toSorted();
  return [...mission.flatMap((rows) => Object.keys(rows)), ...spec];
};

/** Greedy on purpose: a mistyped id such as S1-1 or S1-33a must be seen to be refused. */
const idPattern = /\b(?:S\d+|HOST|SANDBOX|VIEW|SERVER)-\d\w*/g;

const readTests = async (file) => {
  const report = await readJson(file);
  if (!Array.isArray(report.testResults)) throw new Error(`${file} is not a vitest JSON report.`);
  return report.testResults
    .flatMap((result) => result.assertionResults)
    .map(({ ancestorTitles, title, status }) => {
      const fullTitle = [...ancestorTitles, title].join(' ');
      return { title: fullTitle, status, ids: fullTitle.match(idPattern) ?? [] };
    });
};

const refuseUnknownIds = (tests, known) => {
  const unknown = tests.flatMap(({ ids, title }) =>
    ids.filter((id) => !known.has(id)).map((id) => `\n  ${id} in "${title}"`),
  );
  if (unknown.length > 0) throw new Error(`test titles carry ids that no row has:${unknown.join('')}`);
};

/** A row counts only if a test with its id passed and none failed; one we answer differently needs a test as well. */
const toRow = (id, tests, superseded) => {
  const citing = tests.filter(({ ids }) => ids.includes(id));
  const passed = citing.filter(({ status }) => status === 'passed').map(({ title }) => title);
  const proven = passed.length > 0 && !citing.some(({ status }) => status === 'failed');
  return {
    status: !proven ? 'missing' : id in superseded ? 'superseded' : 'done',
    tests: [...new Set(passed)].toSorted(),
  };
};

const countByDocument = (rows) => {
  const counts = {};
  for (const [id, { status }] of Object.entries(rows)) {
    const document = (counts[id.split('-')[0]] ??= { done: 0, superseded: 0, missing: 0 });
    document[status] += 1;
  }
  return counts;
};

runMain(async () => {
  const standard = join(root, 'test/traceability.json');
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string', default: standard } },
  });
  if (positionals.length !== 1) throw new Error('name one vitest JSON report.');
  const ids = await readIds();
  const tests = await readTests(positionals[0]);
  refuseUnknownIds(tests, new Set(ids));
  const superseded = await readMission('superseded');
  const rows = Object.fromEntries(ids.map((id) => [id, toRow(id, tests, superseded)]));
  const documents = countByDocument(rows);
  // Written as the format check wants it, so that a fresh file passes `npm run check`.
  const style = { ...(await resolveConfig(standard)), parser: 'json' };
  await writeFile(values.out, await format(JSON.stringify({ documents, rows }, null, 2), style));
  for (const [name, { done, superseded: replaced, missing }] of Object.entries(documents))
    process.stdout.write(`${name}: ${done} done, ${replaced} superseded, ${missing} missing\n`);
});
