// npm test [-- --unit | --browser] [--smoke] [vitest arguments]
// --smoke also runs the few tests in Firefox and WebKit that CI asks for; `npm run test:browsers` runs all of them.
import { ensureBuilt } from './lib/build.mjs';
import { ensureChromium, findHeadlessShell } from './lib/chromium.mjs';
import { ensureInstalled, ensureTestServers } from './lib/install.mjs';
import { ensureOtherBrowsers } from './lib/other-browsers.mjs';
import { ensurePython } from './lib/python.mjs';
import { root, runMain, runTool } from './lib/run.mjs';

runMain(async () => {
  const args = process.argv.slice(2);
  const unitOnly = args.includes('--unit');
  const browserOnly = args.includes('--browser');
  const withSmoke = args.includes('--smoke');
  const rest = args.filter((arg) => !['--unit', '--browser', '--smoke'].includes(arg));
  await ensureInstalled();
  await ensureBuilt();
  const env = { ...process.env };
  await ensureTestServers();
  await ensurePython();
  if (!unitOnly) {
    env.CASEMENT_CHROMIUM = await ensureChromium();
    env.CASEMENT_HEADLESS_SHELL = (await findHeadlessShell()) ?? '';
  }
  if (withSmoke) await ensureOtherBrowsers();
  const projects = [
    ...(browserOnly ? [] : ['--project=unit', '--project=counting']),
    ...(unitOnly ? [] : ['--project=browser', '--project=views', '--project=measuring']),
    ...(withSmoke ? ['--project=smoke'] : []),
  ];
  process.exitCode = await runTool('vitest/vitest.mjs', ['run', ...projects, ...rest], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
});
