// What a product takes on disk once it is installed alone, from a lock file and the packages that are there. Files are
// counted in whole blocks, as disks do: many small ones take more than their bytes.
import { execFile } from 'node:child_process';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { npm } from '../../scripts/lib/install.mjs';

const block = 4096;
const toBlocks = (bytes) => Math.ceil(bytes / block) * block;

const measureFolder = async (folder) => {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    // Packages inside a package have rows of their own in the lock file.
    if (entry.isDirectory()) return entry.name === 'node_modules' ? 0 : measureFolder(path);
    return toBlocks((await lstat(path)).size);
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

/** The row that a package finds for a name: its own folder's first, then those above. */
const resolve = (packages, from, name) => {
  for (let folder = from; ; folder = dirname(folder)) {
    const key = folder === '.' || folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const row = packages[key];
    if (row) return row.link ? row.resolved : key;
    if (folder === '.' || folder === '') return undefined;
  }
};

/** Every package that one needs to run, by its row: what npm installs without being asked. */
const listNeeded = (packages, first) => {
  const needed = new Set();
  const visit = (key) => {
    if (needed.has(key)) return;
    needed.add(key);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[key];
    const wanted = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    for (const name of wanted) {
      if (peerDependenciesMeta?.[name]?.optional && !dependencies?.[name]) continue;
      const found = resolve(packages, key, name);
      if (found !== undefined) visit(found);
    }
  };
  visit(first);
  return [...needed];
};

const measurePacked = async (folder) => {
  const { stdout } = await promisify(execFile)(npm, ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
  });
  return JSON.parse(stdout)[0].files.reduce((sum, { size }) => sum + toBlocks(size), 0);
};

/** Bytes of the package that `key` names in the lock file of `folder`, and of all that it needs. */
export const measureInstalled = async (folder, key) => {
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  const sizes = listNeeded(packages, key).map(async (needed) => {
    const path = join(folder, needed);
    // A folder of this repository holds more than what is published of it.
    if (!needed.includes('node_modules')) return measurePacked(path);
    // What another system needs is in the lock file and not on the disk.
    return measureFolder(path).catch(() => 0);
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};
