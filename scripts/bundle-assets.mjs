// After the packages are built: builds the page and puts it where the CLI ships it.
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root, runMain, runTool } from './lib/run.mjs';

runMain(async () => {
  const page = join(root, 'packages/inspector');
  const built = await runTool('vite/bin/vite.js', ['build', '--logLevel=warn'], { cwd: page });
  if (built !== 0) throw new Error('building the page failed; see above.');
  const shipped = join(root, 'packages/casement/dist/page');
  await rm(shipped, { recursive: true, force: true });
  await cp(join(page, 'dist'), shipped, { recursive: true });
});
