// npm run bench: figures of one run, side by side; printed and kept in .cache/bench.json. Nothing here is asserted.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { benchFirstApp } from '../bench/first-app.mjs';
import { benchFrames } from '../bench/frames.mjs';
import { benchLiveApps } from '../bench/live-apps.mjs';
import { benchSize } from '../bench/size.mjs';
import { benchThread } from '../bench/thread.mjs';
import { benchTimeline } from '../bench/timeline.mjs';
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

runMain(async () => {
  await ensureInstalled();
  await ensureTestServers();
  await ensureBuilt();
  const wanted = process.argv.slice(2);
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  const rows = [];
  try {
    for (const [name, bench] of benches) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      say(`bench: ${name}`);
      rows.push(...(await bench(browser)));
    }
  } finally {
    await browser.close();
  }
  for (const row of rows) process.stdout.write(`${toLine(row)}\n`);
  const kept = { at: new Date().toISOString(), node: process.version, chromium: browser.version(), rows };
  await mkdir(join(root, '.cache'), { recursive: true });
  await writeFile(join(root, '.cache/bench.json'), `${JSON.stringify(kept, null, 2)}\n`);
});
