import { cp, mkdir, mkdtemp, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error -- scripts are plain JavaScript without types
import { whenStale as untyped } from '../../scripts/lib/stamp.mjs';
import { waitUntil } from '../support/eventually.js';

const whenStale = untyped as (options: {
  stamp: string;
  inputs: readonly string[];
  outputs: readonly string[];
  step: () => Promise<void>;
}) => Promise<void>;

const root = join(import.meta.dirname, '../..');
const kept = '.cache/packed';
const fragment = 'casement-packages.json';

/** What the tarballs are made from, and how. */
const inputs = [
  'packages',
  'examples',
  'scripts',
  'docs/guide/install.md',
  'LICENSE',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.json',
];

/** Packing takes no longer: who holds the lock for more was ended. */
const lockLifeMs = 300_000;

/** Runs a step while no other process runs it. */
const runAlone = async (lock: string, step: () => Promise<void>): Promise<void> => {
  await mkdir(join(root, '.cache'), { recursive: true });
  const take = async (): Promise<boolean> => {
    const held = await stat(lock).catch(() => undefined);
    if (held && Date.now() - held.mtimeMs > lockLifeMs) await rmdir(lock).catch(() => undefined);
    return mkdir(lock).then(
      () => true,
      () => false,
    );
  };
  await waitUntil(take, (isTaken) => isTaken, { what: 'the end of packing elsewhere', timeout: 400_000 });
  try {
    await step();
  } finally {
    await rmdir(lock);
  }
};

/** Copies tarballs and their fragment, which names each by its address. */
const copyTo = async (from: string, to: string): Promise<void> => {
  await cp(from, to, { recursive: true });
  const path = join(to, fragment);
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll(`file:${from}/`, `file:${to}/`));
};

/**
 * Fills a folder with what `pack` makes. The test files share that: it packs, in a folder outside the repository, only
 * when something has changed since it did.
 */
export const fillPacked = (folder: string, pack: (folder: string) => Promise<void>): Promise<void> =>
  runAlone(join(root, '.cache/packing'), async () => {
    const step = async (): Promise<void> => {
      const outside = await mkdtemp(join(tmpdir(), 'casement-packed-'));
      try {
        await pack(outside);
        await rm(join(root, kept), { recursive: true, force: true });
        await copyTo(outside, join(root, kept));
      } finally {
        await rm(outside, { recursive: true, force: true });
      }
    };
    await whenStale({ stamp: '.cache/packed-stamp', inputs, outputs: [`${kept}/${fragment}`], step });
    await copyTo(join(root, kept), folder);
  });
