// npm run check: format, lint with the boundary table, types, dead code, sizes, package shape. All steps run; any failure fails it.
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { listPublished } from './lib/published.mjs';
import { run, runMain, runTool, say } from './lib/run.mjs';

const node = (...args) =>
  run(process.execPath, args).then(
    () => 0,
    () => 1,
  );

runMain(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const steps = [
    ['format', () => runTool('prettier/bin/prettier.cjs', ['--check', '--log-level=warn', '.'])],
    ['lint', () => runTool('eslint/bin/eslint.js', ['--max-warnings=0', '.'])],
    ['types of tests', () => runTool('typescript/bin/tsc', ['-p', 'tsconfig.tests.json'])],
    ['types of the page', () => runTool('typescript/bin/tsc', ['-p', 'packages/inspector'])],
    ['dead code', () => runTool('knip/bin/knip.js', ['--no-progress'])],
    ['lock files', () => node('scripts/check-locks.mjs')],
    ['sizes', () => node('scripts/check-sizes.mjs')],
    ...(await listPublished()).map(({ folder }) => [
      `package shape of ${folder}`,
      () => runTool('publint/src/cli.js', ['run', '--strict', folder]),
    ]),
  ];
  const failed = [];
  for (const [name, step] of steps) {
    say(`check: ${name}`);
    if ((await step()) !== 0) failed.push(name);
  }
  if (failed.length > 0) throw new Error(`check failed: ${failed.join(', ')}.`);
  say('check: everything holds');
});
