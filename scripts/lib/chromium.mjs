// Finds a Chromium, or installs Debian's where we are allowed to; browser tests stop with one sentence otherwise.
import { access, constants, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { run, say } from './run.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const wellKnown = [
  '/usr/bin/chromium',
  '/usr/lib/chromium/chromium',
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const isExecutable = (path) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

const findChromium = async () => {
  const named = process.env.CASEMENT_CHROMIUM;
  if (named) {
    if (await isExecutable(named)) return named;
    throw new Error(
      `CASEMENT_CHROMIUM names "${named}", which cannot be executed; point it at a Chromium binary.`,
    );
  }
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  for (const candidate of [...onPath, ...wellKnown]) if (await isExecutable(candidate)) return candidate;
  return undefined;
};

const isDebianRoot = async () => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release);
};

/** Returns the path of a Chromium, installing it from the system's packages on Debian or Ubuntu as root. */
export const ensureChromium = async () => {
  const found = await findChromium();
  if (found) return found;
  if (await isDebianRoot()) {
    say('installing Chromium from the system packages (once)…');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env });
    const installed = await findChromium();
    if (installed) return installed;
  }
  throw new Error('no Chromium was found: install one, or set CASEMENT_CHROMIUM to its path.');
};
