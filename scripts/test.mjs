// npm test [-- --unit | --browser] [--smoke] [--bench] [vitest arguments]
// --smoke also runs the few tests in Firefox and WebKit that CI asks for; `npm run test:browsers` runs all of them.
// --bench adds that every part of the bench can be measured, beside the first tests: it mostly waits.
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { root, runMain, runQuietly, runTool, say } from './lib/run.mjs';
import { ensureTestTools } from './lib/test-tools.mjs';

const own = ['--unit', '--browser', '--smoke', '--bench'];

runMain(async () => {
  const args = process.argv.slice(2);
  const [unitOnly, browserOnly, withSmoke, withBench] = own.map((name) => args.includes(name));
  const rest = args.filter((arg) => !own.includes(arg));
  await ensureInstalled();
  await ensureBuilt();
  const tools = await ensureTestTools({ browsers: !unitOnly, otherBrowsers: withSmoke });
  const projects = [
    ...(browserOnly ? [] : ['--project=unit', '--project=counting']),
    ...(unitOnly ? [] : ['window', 'browser', 'views', 'measuring'].map((name) => `--project=${name}`)),
    ...(withSmoke ? ['--project=smoke'] : []),
  ];
  const bench = withBench ? runQuietly('scripts/bench.mjs', ['--smoke']) : undefined;
  process.exitCode = await runTool('vitest/vitest.mjs', ['run', ...projects, ...rest], {
    cwd: root,
    env: { ...process.env, ...tools },
    stdio: 'inherit',
  });
  const measured = await bench;
  if (!measured) return;
  say(`test: bench${measured.code === 0 ? '' : ': failed'}`);
  process.stderr.write(measured.text);
  if (measured.code !== 0) process.exitCode = 1;
});
