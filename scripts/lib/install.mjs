import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, run, say } from './run.mjs';
import { whenStale } from './stamp.mjs';

/** npm as this system calls it. */
export const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

const manifests = async () => {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const workspaces = Object.keys(lock.packages).filter((path) => path && !path.includes('node_modules'));
  return ['package.json', 'package-lock.json', ...workspaces.map((path) => `${path}/package.json`)];
};

/** Installs the workspace's dependencies when the manifests changed. */
export const ensureInstalled = async () =>
  whenStale({
    stamp: 'node_modules/.casement-install',
    inputs: await manifests(),
    outputs: ['node_modules'],
    step: async () => {
      say('installing dependencies (once)…');
      await run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
    },
  });

/** Installs the published servers the browser tests run against; large, so only the tests ask for it. */
export const ensureTestServers = () =>
  whenStale({
    stamp: 'e2e/servers/node_modules/.casement-install',
    inputs: ['e2e/servers/package.json', 'e2e/servers/package-lock.json'],
    outputs: ['e2e/servers/node_modules'],
    step: async () => {
      say('installing the published servers used by the browser tests (once, large)…');
      await run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'], {
        cwd: join(root, 'e2e/servers'),
      });
    },
  });

/** Installs the inspectors that `npm run bench -- peers` compares; nothing else asks for them. */
export const ensurePeers = () =>
  whenStale({
    stamp: 'bench/peers/node_modules/.casement-install',
    inputs: ['bench/peers/package.json', 'bench/peers/package-lock.json'],
    outputs: ['bench/peers/node_modules'],
    step: async () => {
      say('installing the inspectors that the bench compares (once, large)…');
      await run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'], {
        cwd: join(root, 'bench/peers'),
      });
    },
  });
