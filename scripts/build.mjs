import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { runMain } from './lib/run.mjs';

runMain(async () => {
  await ensureInstalled();
  await ensureBuilt();
});
