// What the system gives: whether a program is there, and Debian's packages where we may install them.
import { access, constants, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';

/** Whether this file can be run. */
export const isExecutable = (path) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** Whether a program of this name is on the path. */
export const isOnPath = async (name) => {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  for (const folder of folders) if (await isExecutable(join(folder, name))) return true;
  return false;
};

/** Whether we are root on Debian or Ubuntu, and so may install packages. */
export const isDebianRoot = async () => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release);
};

/** Installs packages; another installation on this machine is waited for. */
export const installPackages = async (names) => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  await run('apt-get', ['update', '-qq', ...wait], { env });
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...wait, ...names], { env });
};
