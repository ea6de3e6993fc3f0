// npm run check: format, lint with the boundary table, types, dead code, sizes, package shape. All steps run; any failure fails it.
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { listPublished } from './lib/published.mjs';
import { runMain, runQuietly, say } from './lib/run.mjs';

/** Steps that run at a time; each prints when it is over. */
const atOnce = 2;

runMain(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const steps = [
    // The longest first, so that none of them runs alone at the end.
    ['lint', 'node_modules/eslint/bin/eslint.js', '--max-warnings=0', '.'],
    ['types of tests', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.tests.json'],
    ['format', 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'],
    ['types of the page', 'node_modules/typescript/bin/tsc', '-p', 'packages/inspector'],
    ['sizes', 'scripts/check-sizes.mjs'],
    ['dead code', 'node_modules/knip/bin/knip.js', '--no-progress'],
    ['lock files', 'scripts/check-locks.mjs'],
    ...(await listPublished()).map(({ folder }) => [
      `package shape of ${folder}`,
      'node_modules/publint/src/cli.js',
      'run',
      '--strict',
      folder,
    ]),
  ];
  const waiting = [...steps];
  const failed = [];
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const [name, script, ...args] = step;
      const { code, text } = await runQuietly(script, args);
      say(`check: ${name}${code === 0 ? '' : ': failed'}`);
      process.stderr.write(text);
      if (code !== 0) failed.push(name);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failed.length > 0) throw new Error(`check failed: ${failed.join(', ')}.`);
  say('check: everything holds');
});
