import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { closeContexts, openBrowser } from './browser.js';
import { startCasement, type RunningCasement } from './casement.js';
import { createTempFolder, writeConfig } from './config-file.js';

/** The browser and the command of the test file that runs: live bindings. */
export let browser: Browser;
export let casement: RunningCasement;

type Servers = Parameters<typeof writeConfig>[1];
type Start = readonly string[] | Servers;

const isArguments = (start: Start): start is readonly string[] => Array.isArray(start);

/**
 * Starts casement once for a test file, with these arguments or with a config of these servers, and has a browser for
 * it. A function is given a folder that goes when the file ends, for what its servers read.
 */
export const useCasement = (start: Start | ((folder: string) => Start | Promise<Start>)): void => {
  let folder: ReturnType<typeof createTempFolder> | undefined;
  beforeAll(async () => {
    const { path } = (folder = createTempFolder());
    const given = typeof start === 'function' ? await start(path) : start;
    const args = isArguments(given) ? given : ['--config', writeConfig(path, given), '--trust-config'];
    [browser, casement] = await Promise.all([openBrowser(), startCasement(args)]);
  });
  afterAll(async () => {
    await closeContexts();
    await casement?.stop();
    folder?.remove();
  });
};
