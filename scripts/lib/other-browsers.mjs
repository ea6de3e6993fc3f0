// Firefox and WebKit for the tests: found, or installed from Debian's packages where we are allowed to.
import { installPackages, isDebianRoot, isOnPath } from './system-packages.mjs';
import { say } from './run.mjs';

/** The programs the tests start, each with the package that has it. */
const programs = {
  'firefox-esr': 'firefox-esr',
  WebKitWebDriver: 'webkit2gtk-driver',
  'xvfb-run': 'xvfb',
  xauth: 'xauth',
  'dbus-daemon': 'dbus',
};

/** What only the whole suite needs: a driver for the control in Chromium, and networks to listen in. */
const moreForTheSuite = { chromedriver: 'chromium-driver', ip: 'iproute2' };

const findMissing = async (wanted) => {
  const missing = [];
  for (const [program, name] of Object.entries(wanted)) if (!(await isOnPath(program))) missing.push(name);
  return missing;
};

/** Installs what is missing as root on Debian or Ubuntu; elsewhere it says what to install. */
export const ensureOtherBrowsers = async ({ wholeSuite = false } = {}) => {
  const wanted = { ...programs, ...(wholeSuite ? moreForTheSuite : {}) };
  const missing = await findMissing(wanted);
  if (missing.length === 0) return;
  if (await isDebianRoot()) {
    say(`installing ${missing.join(', ')} from the system packages (once)…`);
    await installPackages(missing);
  }
  const absent = await findMissing(wanted);
  if (absent.length === 0) return;
  throw new Error(
    `the tests in Firefox and WebKit need programs that are not here. As root on Debian or Ubuntu: apt-get install --no-install-recommends ${absent.join(' ')}`,
  );
};
