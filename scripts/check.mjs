// npm run check [-- --prepare]: format, lint with the boundary table, types, dead code, sizes, package shape. All steps
// run; any failure fails it. --prepare also installs what the tests need, beside the steps: it mostly waits.
import { parseArgs } from 'node:util';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { runMain, runQuietly, say } from './lib/run.mjs';
import { ensureTestTools } from './lib/test-tools.mjs';

/** Steps that run at a time; each prints when it is over. */
const atOnce = 2;

/** What reads nothing but sources, and so need not wait for the build; the longest first. */
const stepsOfSources = [
  ['lint', 'node_modules/eslint/bin/eslint.js', '--max-warnings=0', '.'],
  ['format', 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'],
];

/** The longest first, so that none of them runs alone at the end. */
const stepsOfBuild = [
  ['types of tests', 'node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.tests.json'],
  ['types of the page', 'node_modules/typescript-native/bin/tsc', '-p', 'packages/inspector'],
  ['dead code', 'node_modules/knip/bin/knip.js', '--no-progress'],
  ['package shape', 'scripts/check-shape.mjs'],
  ['sizes', 'scripts/check-sizes.mjs'],
  ['lock files', 'scripts/check-locks.mjs'],
];

runMain(async () => {
  const { values } = parseArgs({ options: { prepare: { type: 'boolean', default: false } } });
  await ensureInstalled();
  const prepared = values.prepare ? ensureTestTools({ otherBrowsers: true }) : undefined;
  // Told below, when the steps are over.
  prepared?.catch(() => undefined);
  const failed = [];
  const work = async (waiting) => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const [name, script, ...args] = step;
      const { code, text } = await runQuietly(script, args);
      say(`check: ${name}${code === 0 ? '' : ': failed'}`);
      process.stderr.write(text);
      if (code !== 0) failed.push(name);
    }
  };
  // The build keeps one processor busy.
  const sources = [...stepsOfSources];
  const besideBuild = work(sources);
  await ensureBuilt();
  const waiting = [...sources.splice(0), ...stepsOfBuild];
  const others = Array.from({ length: atOnce - 1 }, () => work(waiting));
  await Promise.all([besideBuild.then(() => work(waiting)), ...others]);
  if (failed.length > 0) throw new Error(`check failed: ${failed.join(', ')}.`);
  say('check: everything holds');
  await prepared;
});
