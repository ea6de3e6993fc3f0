// Lock files must not carry download addresses: they would pin every clone to one registry.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, runMain } from './lib/run.mjs';

runMain(async () => {
  for (const folder of ['.', 'e2e/servers', 'bench/peers']) {
    const file = join(folder, 'package-lock.json');
    const text = await readFile(join(root, file), 'utf8');
    if (/"resolved":\s*"[a-z+]+:/.test(text)) {
      throw new Error(
        `${file} carries download addresses; install again with omit-lockfile-registry-resolved=true.`,
      );
    }
  }
});
