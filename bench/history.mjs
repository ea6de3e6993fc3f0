// The ratios of earlier runs: a line of JSON each, so that a change that made something slower is seen.
import { execFile } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../scripts/lib/run.mjs';
import { toRatio } from './figures.mjs';

const file = join(root, 'bench/history.jsonl');

/** A ratio that grew by more than this part of itself is told. */
const noticed = 0.2;

/** What a ratio is known by. */
const toKey = ({ part, name, other }) => `${part}: ${name}, beside ${other}`;

/** Every run that was kept, the oldest first. */
export const readHistory = async () => {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
};

/** Says how much a row's ratio grew since the last run that had it; nothing when it did not grow by more than a fifth. */
export const toGrowth = (history, row) => {
  const ratio = toRatio(row);
  if (ratio === undefined) return undefined;
  const last = history.findLast(({ ratios }) => ratios[toKey(row)] !== undefined);
  const growth = last === undefined ? 0 : ratio / last.ratios[toKey(row)] - 1;
  return growth > noticed ? `grew by ${Math.round(growth * 100)} % since ${last.commit}` : undefined;
};

const git = async (...args) => (await promisify(execFile)('git', args, { cwd: root })).stdout.trim();

/** The commit that was measured, and whether there was more than it. */
const readCommit = async () => {
  const commit = await git('rev-parse', '--short=10', 'HEAD');
  const changed = await git('status', '--porcelain', '--untracked-files=no');
  return changed === '' ? commit : `${commit} and changes`;
};

/** A run as it is kept: nothing in it names the machine. */
export const toHistoryEntry = ({ at, commit, note, chromium, rows }) => ({
  at,
  commit,
  note,
  node: process.version,
  chromium,
  ratios: Object.fromEntries(
    rows.flatMap((row) => {
      const ratio = toRatio(row);
      return ratio === undefined ? [] : [[toKey(row), Number(ratio.toFixed(3))]];
    }),
  ),
});

/** Adds a run. */
export const appendHistory = async (run) => {
  const entry = toHistoryEntry({ ...run, commit: await readCommit() });
  await appendFile(file, `${JSON.stringify(entry)}\n`);
};
