import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './support/browser.js';
import { openStage } from './support/stage.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const maxInstallBytes = 60 * 1024 * 1024;

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
}

// Our own manifests: their shape is checked by npm and publint.
const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

const listPublished = async (): Promise<string[]> => {
  const places = ['packages', 'examples'].map(async (parent) =>
    (await readdir(join(root, parent))).map((name) => join(root, parent, name)),
  );
  const folders = (await Promise.all(places)).flat();
  const manifests = await Promise.all(folders.map(readManifest));
  return folders.filter((_, index) => manifests[index]?.private !== true);
};

/** What a folder takes on disk, as du counts it. */
const measure = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? measure(path) : (await lstat(path)).blocks * 512;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

const npm = (args: readonly string[], cwd: string) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd, maxBuffer: 16 * 1024 * 1024 });

let place: string;
let browser: Browser;
let command: ChildProcess | undefined;
let packed: Map<string, readonly string[]>;
let installed: readonly string[];

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'casement-distribution-'));
  const tarballs = join(place, 'tarballs');
  const folders = await listPublished();
  await run('mkdir', ['-p', tarballs, join(place, 'user')]);
  const { stdout } = await npm(['pack', '--json', '--pack-destination', tarballs, ...folders], root);
  // npm's documented report; what matters of it is used below.
  const reports = JSON.parse(stdout) as { name: string; filename: string; files: { path: string }[] }[];
  packed = new Map(reports.map(({ name, files }) => [name, files.map(({ path }) => path)]));
  await writeFile(join(place, 'user', 'package.json'), '{ "private": true }\n');
  // React belongs to pages that embed apps; the command brings its own page, built.
  const wanted = reports.filter(({ name }) => name !== '@casement/react');
  const files = wanted.map(({ filename }) => join(tarballs, filename));
  installed = wanted.map(({ name }) => name);
  await npm(['install', '--prefer-offline', ...files], join(place, 'user'));
  browser = await launchBrowser();
}, 420_000);

afterAll(async () => {
  await browser?.close();
  // npx starts the command below itself; a group of its own ends with everything in it.
  if (command?.pid !== undefined && command.exitCode === null) process.kill(-command.pid, 'SIGTERM');
  await rm(place, { recursive: true, force: true, maxRetries: 5 });
});

test('each package carries its licence, its description and nothing of its build or its tests', () => {
  expect([...packed.keys()].sort()).toEqual([
    '@casement/app',
    '@casement/example-weather-server',
    '@casement/gateway',
    '@casement/host',
    '@casement/protocol',
    '@casement/react',
    '@casement/sandbox',
    '@casement/server',
    'casement',
  ]);
  for (const [name, files] of packed) {
    expect(files, name).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    expect(
      files.filter((path) => /(?:^|\/)src\/|\.test\.|test-support|tsbuildinfo/.test(path)),
      name,
    ).toEqual([]);
  }
  expect(packed.get('casement')).toContain('dist/page/index.html');
  expect(packed.get('@casement/sandbox')).toContain('dist/static-proxy.html');
  expect(packed.get('@casement/example-weather-server')).toContain('dist/dashboard.html');
});

test('what was installed are copies, not links into this repository', async () => {
  const modules = join(place, 'user', 'node_modules');
  for (const name of installed) expect((await lstat(join(modules, name))).isSymbolicLink(), name).toBe(false);
});

test('the production install takes at most 60 MB', async () => {
  const bytes = await measure(join(place, 'user', 'node_modules'));
  process.stderr.write(`production install: ${(bytes / 1024 / 1024).toFixed(1)} MB\n`);
  expect(bytes).toBeLessThanOrEqual(maxInstallBytes);
});

test('from an empty folder the command starts and the example is shown', async () => {
  const child = spawn('npx', ['casement', '--json', '--no-open', '--port', '0'], {
    cwd: join(place, 'user'),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  command = child;
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the command ended with code ${code}`)));
  });
  // The documented first line of --json.
  const { url } = JSON.parse(line) as { url: string };
  const stage = await openStage(browser, url);
  await stage.reaches('ready', 60_000);
  await (await stage.app()).waitForSelector('#dashboard[data-state="shown"]');
}, 180_000);
