// All that tests need besides the sources: published servers, Python and browsers, installed where they are missing.
import { ensureChromium, findHeadlessShell } from './chromium.mjs';
import { ensureTestServers } from './install.mjs';
import { ensureOtherBrowsers } from './other-browsers.mjs';
import { ensurePython } from './python.mjs';

/** Sees that everything is there, and returns what the tests read of it from their environment. */
export const ensureTestTools = async ({ browsers = true, otherBrowsers = false } = {}) => {
  const servers = ensureTestServers();
  // Beside the system's packages; a failure is told when it is asked for below.
  servers.catch(() => undefined);
  await ensurePython();
  const env = browsers
    ? {
        CASEMENT_CHROMIUM: await ensureChromium(),
        CASEMENT_HEADLESS_SHELL: (await findHeadlessShell()) ?? '',
      }
    : {};
  if (otherBrowsers) await ensureOtherBrowsers();
  await servers;
  return env;
};
