import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './run.mjs';

const readManifest = async (folder) => ({
  folder,
  ...JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')),
});

/** The packages that are for others, with the folder each is in; the rest says that it is private. */
export const listPublished = async () => {
  const parents = ['packages', 'examples'].map(async (parent) =>
    (await readdir(join(root, parent))).map((name) => `${parent}/${name}`),
  );
  const folders = (await Promise.all(parents)).flat();
  const manifests = await Promise.all(folders.map(readManifest));
  return manifests.filter((manifest) => manifest.private !== true);
};
