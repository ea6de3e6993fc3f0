// node scripts/check-shape.mjs: whether each published package holds what its package.json promises. All are packed at
// once: npm takes longer to start than to pack.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { npm } from './lib/install.mjs';
import { listPublished } from './lib/published.mjs';
import { root, run, runMain } from './lib/run.mjs';
import { toTarballName } from './lib/tarball-name.mjs';

/** What is wrong with a package, a warning too, as publint says it. */
const findFaults = async (tarball) => {
  const bytes = await readFile(tarball);
  const content = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: content }, level: 'warning', strict: true });
  return messages.map((message) => formatMessage(message, pkg, { color: false }));
};

runMain(async () => {
  const published = await listPublished();
  const folder = await mkdtemp(join(tmpdir(), 'casement-shape-'));
  try {
    const places = published.map((manifest) => join(root, manifest.folder));
    await run(npm, ['pack', '--pack-destination', folder, '--loglevel=error', ...places]);
    for (const manifest of published) {
      const faults = await findFaults(join(folder, toTarballName(manifest)));
      for (const fault of faults) process.stdout.write(`${manifest.name}: ${fault}\n`);
      if (faults.length > 0) process.exitCode = 1;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
