import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { createLink } from '../support/link.js';
import { publishedServers } from '../support/server-commands.js';
import { toBrowserStage, type BrowserStage } from './support/browser-stage.js';
import { startBrowser, type BrowserName, type StartedBrowser } from './support/start-browser.js';

// What `.ci/run` asks of the browsers that are not Chromium: the example, and apps of published servers, come up.
const browsers: readonly BrowserName[] = ['firefox', 'webkit'];

const servers = {
  'basic-react': { command: publishedServers.basicReact, tool: 'get-time', shows: /\d{4}-\d\d-\d\dT/ },
  debug: { command: publishedServers.debug, tool: 'debug-tool', shows: /ontoolresult:/ },
  monitor: { command: publishedServers.monitor, tool: 'get-system-info', shows: /Memory/i },
};

const logRequests = join(import.meta.dirname, '../fixtures/log-requests.mjs');

const folder = createTempFolder();
let example: RunningCasement;
let published: RunningCasement;

beforeAll(async () => {
  const config = writeConfig(
    folder.path,
    Object.fromEntries(Object.entries(servers).map(([name, { command }]) => [name, command])),
  );
  [example, published] = await Promise.all([
    startCasement([], { env: { NODE_OPTIONS: `--import=${pathToFileURL(logRequests).href}` } }),
    startCasement(['--config', config, '--trust-config']),
  ]);
});

afterAll(async () => {
  await Promise.all([example?.stop(), published?.stop()]);
  folder.remove();
});

describe.each(browsers)('%s', (name) => {
  let browser: StartedBrowser;
  let stage: BrowserStage;
  beforeAll(async () => {
    browser = await startBrowser(name);
    stage = toBrowserStage(browser);
  });
  afterAll(() => browser?.close());

  test('the example is ready, in three origins, and shows its weather', async () => {
    await stage.open(example.url);
    await stage.reaches('ready');
    await eventually(() => stage.textOfApp('#temperature')).toMatch(/-?\d+°C/);
    const origins = await stage.origins();
    expect(new Set(origins).size).toBe(3);
    expect(origins).not.toContain('null');
    expect((await stage.snapshot())?.fallback).toBeUndefined();
  });

  test('a link leads to the page under its own name, with its code', async () => {
    const before = example.stderr().length;
    await stage.open(await createLink(example), { server: 'weather', tool: 'weather_dashboard', run: true });
    await stage.reaches('ready');
    const documents = [
      ...example
        .stderr()
        .slice(before)
        .matchAll(/^document (\S+):\d+ (\/\w*)/gm),
    ];
    // Firefox knows the name, and says who it is; what says it is Safari has to find out in the page at localhost.
    const found = name === 'firefox' ? [] : ['localhost /'];
    expect(documents.map(([, host, path]) => `${host} ${path}`)).toEqual([
      'localhost /open',
      ...found,
      'casement.localhost /',
    ]);
  });

  test.each(Object.entries(servers))(
    'an app of the published server %s is ready',
    async (server, { tool, shows }) => {
      await stage.open(published.url, { server, tool, args: {}, run: true });
      await stage.reaches('ready');
      await eventually(() => stage.textOfApp('body')).toMatch(shows);
    },
  );
});
