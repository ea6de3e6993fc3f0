// Finds a Chromium, or installs Debian's where we are allowed to; browser tests stop with one sentence otherwise.
import { delimiter, join } from 'node:path';
import { installPackages, isDebianRoot, isExecutable } from './system-packages.mjs';
import { say } from './run.mjs';

const shellName = 'chromium-headless-shell';

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

const findFirst = async (candidates) => {
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
  return undefined;
};

const onPath = (wanted) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => wanted.map((name) => join(folder, name)));

const findChromium = async () => {
  const named = process.env.CASEMENT_CHROMIUM;
  if (named) {
    if (await isExecutable(named)) return named;
    throw new Error(
      `CASEMENT_CHROMIUM names "${named}", which cannot be executed; point it at a Chromium binary.`,
    );
  }
  return findFirst([...onPath(names), ...wellKnown]);
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

/**
 * Returns the path of the same Chromium without the window around a page, or nothing where there is none: tests of what a
 * page shows take less of the processor in it. Whoever named a Chromium has all tests run in that one.
 */
export const findHeadlessShell = async () => {
  if (process.env.CASEMENT_CHROMIUM) return undefined;
  const found = await findFirst(onPath([shellName]));
  if (found || !(await isDebianRoot())) return found;
  say('installing Chromium without its window from the system packages (once)…');
  // Only time is lost without it.
  await installPackages([shellName]).catch((error) => say(error.message));
  return findFirst(onPath([shellName]));
};
