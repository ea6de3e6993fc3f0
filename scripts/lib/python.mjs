// Python for the tests: one of their servers is written in it, with its standard library alone.
import { installPackages, isDebianRoot, isOnPath } from './system-packages.mjs';
import { say } from './run.mjs';

/** Sees that there is a python3: installed as root on Debian or Ubuntu, elsewhere it says what to install. */
export const ensurePython = async () => {
  if (await isOnPath('python3')) return;
  if (await isDebianRoot()) {
    say('installing python3 from the system packages (once)…');
    await installPackages(['python3']);
  }
  if (await isOnPath('python3')) return;
  throw new Error(
    'the tests start a server that is written in Python. Install Python 3.8 or newer as python3; as root on Debian or Ubuntu: apt-get install python3',
  );
};
