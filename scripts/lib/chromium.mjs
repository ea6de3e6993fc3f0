// Finds a Chromium, or installs Debian's where we are allowed to; browser tests stop with one sentence otherwise.
import { delimiter, join } from 'node:path';
import { installPackages, isDebianRoot, isExecutable } from './system-packages.mjs';
import { say } from './run.mjs';

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

/** Returns the path of a Chromium, installing it from the system's packages on Debian or Ubuntu as root. */
export const ensureChromium = async () => {
  const found = await findChromium();
  if (found) return found;
  if (await isDebianRoot()) {
    say('installing Chromium from the system packages (once)…');
    await installPackages(['chromium']);
    const installed = await findChromium();
    if (installed) return installed;
  }
  throw new Error('no Chromium was found: install one, or set CASEMENT_CHROMIUM to its path.');
};
