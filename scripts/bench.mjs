// npm run bench [-- --smoke] [-- part …]: figures of one run, side by side; printed part by part and kept in
// .cache/bench.json. Nothing here is asserted but that every part can be measured; --smoke shows just that, quickly.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { benchFirstApp } from '../bench/parts/first-app.mjs';
import { benchFrames } from '../bench/parts/frames.mjs';
import { benchLiveApps } from '../bench/parts/live-apps.mjs';
import { benchSize } from '../bench/parts/size.mjs';
import { benchThread } from '../bench/parts/thread.mjs';
import { benchTimeline } from '../bench/parts/timeline.mjs';
import { scales } from '../bench/scale.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { ensureInstalled, ensureTestServers } from './lib/install.mjs';
import { root, runMain, say } from './lib/run.mjs';

const benches = [
  ['sizes', benchSize],
  ['frames', benchFrames],
  ['live apps', benchLiveApps],
  ['thread', benchThread],
  ['first app', benchFirstApp],
  ['timeline', benchTimeline],
];

const toText = (value, unit) =>
  unit === 'B'
    ? `${(value / 1024).toFixed(1)} KB`
    : unit === 'apps'
      ? `${value} apps`
      : `${value.toFixed(value < 10 ? 2 : 0)} ms`;

const toLine = ({ name, unit, casement, beside, other }) => {
  const own = toText(casement, unit).padStart(9);
  if (beside === undefined) return `${name.padEnd(50)}${own}`;
  const ratio = `× ${(casement / beside).toFixed(2)}`;
  return `${name.padEnd(50)}${own}   ${other} ${toText(beside, unit)}   ${ratio}`;
};

/** Prints a part's figures as soon as they are measured. */
const measure = async (name, bench, browser, scale) => {
  say(`bench: ${name}`);
  try {
    const rows = await bench(browser, scale);
    for (const row of rows) process.stdout.write(`${toLine(row)}\n`);
    return { rows };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stdout.write(`${name}: could not be measured: ${reason}\n`);
    return { rows: [], failure: { name, reason } };
  }
};

const readArguments = () => {
  const args = process.argv.slice(2);
  const wanted = args.filter((arg) => arg !== '--smoke');
  const known = benches.map(([name]) => name);
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `no part of the bench is called "${unknown.join('", "')}"; there are ${known.join(', ')}.`,
    );
  const chosen = benches.filter(([name]) => wanted.length === 0 || wanted.includes(name));
  return { chosen, isSmoke: args.includes('--smoke') };
};

runMain(async () => {
  const { chosen, isSmoke } = readArguments();
  await ensureInstalled();
  await ensureTestServers();
  await ensureBuilt();
  const executablePath = await ensureChromium();
  const outcomes = [];
  let chromiumVersion;
  for (const [name, bench] of chosen) {
    // A browser for each part: one that a part brought down, or left busy, is not the next one's.
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    });
    chromiumVersion = browser.version();
    outcomes.push(await measure(name, bench, browser, isSmoke ? scales.smoke : scales.full));
    await browser.close().catch(() => undefined);
  }
  const failures = outcomes.flatMap(({ failure }) => failure ?? []);
  if (!isSmoke) {
    const rows = outcomes.flatMap((outcome) => outcome.rows);
    const at = new Date().toISOString();
    const kept = { at, node: process.version, chromium: chromiumVersion, rows, failures };
    await mkdir(join(root, '.cache'), { recursive: true });
    await writeFile(join(root, '.cache/bench.json'), `${JSON.stringify(kept, null, 2)}\n`);
  }
  if (failures.length > 0)
    throw new Error(`the bench could not measure: ${failures.map(({ name }) => name).join(', ')}.`);
});
