// npm run pack:all -- <folder>: every package as a tarball, and a package.json that installs them together.
import { realpathSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled, npm } from './lib/install.mjs';
import { listPublished } from './lib/published.mjs';
import { root, run, runMain, say } from './lib/run.mjs';
import { toShellWord } from './lib/shell-word.mjs';
import { toTarballName } from './lib/tarball-name.mjs';

const fragment = 'casement-packages.json';

/** Where a path leads, through links; the end of it need not be there yet. */
const follow = (path) => {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(follow(parent), basename(path));
  }
};

/** The folder as it is meant from where the user stands; never inside this repository, where sources are. */
const readFolder = () => {
  const [given, ...more] = process.argv.slice(2);
  if (!given || given.startsWith('-') || more.length > 0)
    throw new Error('name one folder for the packages: npm run pack:all -- ../packages');
  const folder = resolve(process.env.INIT_CWD ?? process.cwd(), given);
  const way = relative(follow(root), follow(folder));
  if (way.split(sep)[0] !== '..' && !isAbsolute(way))
    throw new Error(`${folder} is inside this repository; name a folder beside it: ../packages`);
  return folder;
};

runMain(async () => {
  const folder = readFolder();
  await ensureInstalled();
  await ensureBuilt();
  const published = await listPublished();
  await mkdir(folder, { recursive: true });
  const places = published.map((manifest) => join(root, manifest.folder));
  await run(npm, ['pack', '--pack-destination', folder, '--loglevel=error', ...places]);
  const toAddress = (manifest) => `file:${join(folder, toTarballName(manifest))}`;
  const addresses = Object.fromEntries(published.map((manifest) => [manifest.name, toAddress(manifest)]));
  // The packages ask for each other by version. Overrides answer from here, not from a registry, whichever of them a
  // project depends on.
  const manifest = { private: true, dependencies: addresses, overrides: addresses };
  await writeFile(join(folder, fragment), `${JSON.stringify(manifest, null, 2)}\n`);
  say(`${published.length} packages are in ${folder}. In an empty folder of your own:`);
  process.stdout.write(`cp ${toShellWord(join(folder, fragment))} package.json\nnpm install\n`);
});
