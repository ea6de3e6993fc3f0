// npm run bench [-- --smoke] [--note "…"] [part …]: figures of one run, side by side; printed part by part and kept in
// .cache/bench.json. Nothing here is asserted but that every part can be measured; --smoke shows just that, quickly.
// With a note the ratios are added to bench/history.jsonl.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { toLine } from '../bench/figures.mjs';
import { appendHistory, readHistory, toGrowth } from '../bench/history.mjs';
import { benchCliStart } from '../bench/parts/cli-start.mjs';
import { benchClickToContent } from '../bench/parts/click-to-content.mjs';
import { benchEvidence } from '../bench/parts/evidence.mjs';
import { benchFirstApp } from '../bench/parts/first-app.mjs';
import { benchFrames } from '../bench/parts/frames.mjs';
import { benchLiveApps } from '../bench/parts/live-apps.mjs';
import { benchManyApps } from '../bench/parts/many-apps.mjs';
import { benchPageStart } from '../bench/parts/page-start.mjs';
import { benchSaveToSee } from '../bench/parts/save-to-see.mjs';
import { benchSize } from '../bench/parts/size.mjs';
import { benchThread } from '../bench/parts/thread.mjs';
import { benchTimeline } from '../bench/parts/timeline.mjs';
import { benchPeers } from '../bench/peers/peers.mjs';
import { scales } from '../bench/scale.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { toChromiumArgs } from './lib/chromium-args.mjs';
import { ensureChromium, findHeadlessShell } from './lib/chromium.mjs';
import { ensureInstalled, ensurePeers, ensureTestServers } from './lib/install.mjs';
import { root, runMain, say } from './lib/run.mjs';

const parts = [
  ['sizes', benchSize],
  ['CLI start', benchCliStart],
  ['page start', benchPageStart],
  ['click to content', benchClickToContent],
  ['frames', benchFrames],
  ['evidence', benchEvidence],
  ['live apps', benchLiveApps],
  ['many apps', benchManyApps],
  ['thread', benchThread],
  ['first app', benchFirstApp],
  ['save to see', benchSaveToSee],
  ['timeline 100k', benchTimeline],
];

/** What is large to install, so that it runs only when it is named. */
const namedParts = [['peers', benchPeers, ensurePeers]];

/** Prints a part's figures as soon as they are measured. */
const measure = async ([name, bench], browser, scale, history) => {
  say(`bench: ${name}`);
  const begun = performance.now();
  try {
    const rows = (await bench(browser, scale)).map((row) => ({ part: name, ...row }));
    for (const row of rows) {
      const growth = toGrowth(history, row);
      process.stdout.write(`${toLine(row)}${growth === undefined ? '' : `   ${growth}`}\n`);
    }
    say(`bench: ${name} took ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    return { rows };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stdout.write(`${name}: could not be measured: ${reason}\n`);
    return { rows: [], failure: { name, reason } };
  }
};

const readArguments = () => {
  const { values, positionals: wanted } = parseArgs({
    options: { smoke: { type: 'boolean', default: false }, note: { type: 'string' } },
    allowPositionals: true,
  });
  const all = [...parts, ...namedParts];
  const known = all.map(([name]) => name);
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `no part of the bench is called "${unknown.join('", "')}"; there are ${known.join(', ')}.`,
    );
  if (values.smoke && values.note !== undefined)
    throw new Error('--smoke measures too little to be kept: leave out --note.');
  const chosen = wanted.length === 0 ? parts : all.filter(([name]) => wanted.includes(name));
  return { chosen, isSmoke: values.smoke, note: values.note };
};

runMain(async () => {
  const { chosen, isSmoke, note } = readArguments();
  await ensureInstalled();
  await ensureTestServers();
  for (const [, , prepare] of chosen) await prepare?.();
  await ensureBuilt();
  // That each part ends with a figure is seen without the window around a page as well, for two thirds of the processor.
  const executablePath = (isSmoke && (await findHeadlessShell())) || (await ensureChromium());
  // Few rounds show nothing that could be compared.
  const history = isSmoke ? [] : await readHistory();
  const outcomes = [];
  let chromiumVersion;
  for (const part of chosen) {
    // A browser for each part: one that a part brought down, or left busy, is not the next one's.
    const browser = await chromium.launch({ executablePath, args: toChromiumArgs() });
    chromiumVersion = browser.version();
    outcomes.push(await measure(part, browser, isSmoke ? scales.smoke : scales.full, history));
    await browser.close().catch(() => undefined);
  }
  const failures = outcomes.flatMap(({ failure }) => failure ?? []);
  if (!isSmoke) {
    const rows = outcomes.flatMap((outcome) => outcome.rows);
    const at = new Date().toISOString();
    const kept = { at, node: process.version, chromium: chromiumVersion, rows, failures };
    await mkdir(join(root, '.cache'), { recursive: true });
    await writeFile(join(root, '.cache/bench.json'), `${JSON.stringify(kept, null, 2)}\n`);
    if (note !== undefined) await appendHistory({ at, note, chromium: chromiumVersion, rows });
  }
  if (failures.length > 0)
    throw new Error(`the bench could not measure: ${failures.map(({ name }) => name).join(', ')}.`);
});
