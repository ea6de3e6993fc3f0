import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { fillPacked } from './packed.js';
import { readBlocks, type GuideBlock } from '../../packages/server/src/guide-blocks.test-support.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

// npm says what it has to say to people; a registry is only asked for what this machine has not had before.
const quiet = { NPM_CONFIG_AUDIT: 'false', NPM_CONFIG_FUND: 'false', NPM_CONFIG_PREFER_OFFLINE: 'true' };

/** Runs commands as a reader of a guide would, and stops at the first that fails. */
export const follow = async (
  commands: string,
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> => {
  // No reader works under the test runner's NODE_ENV, with which a build is another one.
  const options = {
    cwd,
    env: { ...process.env, NODE_ENV: undefined, ...quiet, ...env },
    maxBuffer: 16 * 1024 * 1024,
  };
  try {
    return (await run('bash', ['-e', '-c', commands], options)).stdout;
  } catch (error) {
    // What execFile rejects with has what the command printed.
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`This failed in ${cwd}:\n${commands}\n${stdout}${stderr}`, { cause: error });
  }
};

/** A page of this repository, and the blocks of code in it. */
export const readGuide = async (path: string) => {
  const text = await readFile(join(root, path), 'utf8');
  const blocks = readBlocks(text);
  /** Its commands, in order, one entry for each block. */
  const commands = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code.trim());
  const files = blocks.filter((block): block is GuideBlock & { file: string } => block.file !== undefined);
  return { text, blocks, commands, files };
};

/** The package.json that was written beside the tarballs. */
export const readFragment = async (packages: string) =>
  // Written by a script of ours; npm refuses it if it is wrong.
  JSON.parse(await readFile(join(packages, 'casement-packages.json'), 'utf8')) as Record<
    'dependencies' | 'overrides',
    Record<string, string>
  >;

/** The files of a folder, by their way from there. */
export const listFiles = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
};

/** A place outside the repository in which the guides are followed. */
export interface Place {
  /** Holds `casement`, the clone; `packages`, what was packed; and a folder for each guide. */
  readonly folder: string;
  readonly packages: string;
  /** Where it was packed; nothing that was packed may tell. */
  readonly repository: string;
  /** Another folder in which install.md was followed to its end. */
  copyInstalled(name: string): Promise<string>;
  remove(): Promise<void>;
}

/** Packs this repository as install.md says. Of the clone, which is this repository, only the examples are there. */
export const packAll = async (): Promise<Omit<Place, 'copyInstalled'>> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'casement guides ')));
  const packages = join(folder, 'packages');
  await mkdir(join(folder, 'casement'));
  await symlink(join(root, 'examples'), join(folder, 'casement/examples'));
  const [pack = ''] = (await readGuide('docs/guide/install.md')).commands;
  const [clone, enter, command, ...more] = pack.split('\n');
  const isKnown = clone === 'git clone <this repository> casement' && enter === 'cd casement';
  if (!isKnown || !command?.endsWith(' ../packages') || more.length > 0)
    throw new Error(`install.md packs in another way than the test knows: ${pack}`);
  await fillPacked(packages, async (to) => {
    await follow(command.replace('../packages', '"$PACKAGES"'), root, { PACKAGES: to });
  });
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  return { folder, packages, repository: root, remove };
};

/** Follows install.md in a place of its own, up to the installed packages. */
export const installPackages = async (): Promise<Place> => {
  const place = await packAll();
  const [, install = ''] = (await readGuide('docs/guide/install.md')).commands;
  await follow(install, join(place.folder, 'casement'));
  const copyInstalled = async (name: string): Promise<string> => {
    const to = join(place.folder, name);
    await cp(join(place.folder, 'my-app'), to, { recursive: true, verbatimSymlinks: true });
    return to;
  };
  return { ...place, copyInstalled };
};

/** A new project that needs some of the packages, as install.md says; `npm install` and whatever it names comes next. */
export const beginProject = async (
  { folder: parent, packages }: Pick<Place, 'folder' | 'packages'>,
  name: string,
  wanted: readonly string[],
): Promise<string> => {
  const folder = join(parent, name);
  const { dependencies, overrides } = await readFragment(packages);
  const some = Object.fromEntries(wanted.map((one) => [one, dependencies[one]]));
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies: some, overrides }));
  return folder;
};

/** Installs some of the packages in a new folder. */
export const installSome = async (...project: Parameters<typeof beginProject>): Promise<string> => {
  const folder = await beginProject(...project);
  await follow('npm install', folder);
  return folder;
};
