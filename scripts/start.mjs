import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { root, runMain } from './lib/run.mjs';

runMain(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const cli = join(root, 'packages/casement/dist/cli.js');
  // npm runs scripts from the workspace root; paths on the command line are meant from where the user stands.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  const child = spawn(process.execPath, [cli, ...process.argv.slice(2)], { cwd, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
});
