// npm test [-- --unit | --browser] [vitest arguments]
import { ensureBuilt } from './lib/build.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { ensureInstalled, ensureTestServers } from './lib/install.mjs';
import { root, runMain, runTool } from './lib/run.mjs';

runMain(async () => {
  const args = process.argv.slice(2);
  const unitOnly = args.includes('--unit');
  const browserOnly = args.includes('--browser');
  const rest = args.filter((arg) => arg !== '--unit' && arg !== '--browser');
  await ensureInstalled();
  await ensureBuilt();
  const env = { ...process.env };
  if (!unitOnly) {
    env.CASEMENT_CHROMIUM = await ensureChromium();
    await ensureTestServers();
  }
  const projects = [...(browserOnly ? [] : ['--project=unit']), ...(unitOnly ? [] : ['--project=browser'])];
  process.exitCode = await runTool('vitest/vitest.mjs', ['run', ...projects, ...rest], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
});
