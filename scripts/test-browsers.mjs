// npm run test:browsers [-- vitest arguments]
// Runs the product in Firefox and WebKit, with Chromium as the control; installs them as root on Debian.
import { ensureBuilt } from './lib/build.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { ensureInstalled, ensureTestServers } from './lib/install.mjs';
import { ensureOtherBrowsers } from './lib/other-browsers.mjs';
import { root, runMain, runTool } from './lib/run.mjs';

runMain(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const env = { ...process.env, CASEMENT_CHROMIUM: await ensureChromium() };
  await ensureOtherBrowsers({ wholeSuite: true });
  await ensureTestServers();
  const args = ['run', '--project=browsers', ...process.argv.slice(2)];
  process.exitCode = await runTool('vitest/vitest.mjs', args, { cwd: root, env, stdio: 'inherit' });
});
