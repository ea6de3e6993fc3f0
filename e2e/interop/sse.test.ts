import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeContexts, openBrowser } from '../support/browser.js';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually, waitUntil } from '../support/eventually.js';
import { toMessages } from '../support/recorded.js';
import { openStage } from '../support/stage.js';

const servers = join(import.meta.dirname, '..', 'servers', 'node_modules');
const folder = createTempFolder();
let pizza: ChildProcess;
let casement: RunningCasement;
let browser: Browser;

const findPort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server always reports an AddressInfo.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** The pizza example of a published server kit: OpenAI widgets over the older HTTP+SSE, assets on the network. */
beforeAll(async () => {
  const port = await findPort();
  // Its imports lack extensions, which Node refuses and tsx does not.
  pizza = spawn(
    process.execPath,
    [
      '--import',
      pathToFileURL(join(servers, 'tsx/dist/loader.mjs')).href,
      join(servers, '@fractal-mcp/oai-server/dist/example.js'),
    ],
    { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let said = '';
  pizza.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await waitUntil(
    () => said,
    (text) => text.includes('listening'),
    { what: 'The pizza server', timeout: 60_000 },
  );
  const config = writeConfig(folder.path, { pizza: { url: `http://localhost:${port}/mcp` } });
  [browser, casement] = await Promise.all([
    openBrowser(),
    startCasement(['--config', config, '--trust-config']),
  ]);
}, 120_000);

afterAll(async () => {
  await closeContexts();
  await casement?.stop();
  pizza?.kill('SIGKILL');
  folder.remove();
});

test('a published OpenAI widget server over HTTP+SSE: connected, detected, its metadata right, its remote assets named', async () => {
  expect(casement.servers).toMatchObject([{ name: 'pizza', status: 'ready' }]);
  const stage = await openStage(browser, casement.url, {
    server: 'pizza',
    tool: 'pizza-map',
    args: { pizzaTopping: 'olives' },
    run: true,
  });
  await stage.reaches('ready');
  const app = await stage.app();
  await app.waitForSelector('#pizzaz-root', { state: 'attached' });
  const given = await app.evaluate(() => {
    // The loader put it there; no type of ours knows it.
    const { openai } = window as unknown as { openai: { toolInput: unknown } };
    return openai.toolInput;
  });
  expect(given).toEqual({ pizzaTopping: 'olives' });
  await eventually(async () =>
    app.evaluate(() => (window as unknown as { openai: { toolOutput: unknown } }).openai.toolOutput),
  ).toEqual({ pizzaTopping: 'olives' });

  const snapshot = await stage.snapshot();
  expect(snapshot).toMatchObject({
    resource: { uri: 'ui://widget/pizza-map.html', family: 'openai' },
    policy: { effective: { family: 'openai', connect: [], assets: [] } },
    appInfo: { name: 'openai-apps-sdk' },
  });
  const blocked = async () =>
    (await stage.snapshot())?.findings.flatMap(({ code, message, fix }) =>
      code === 'asset-blocked' ? [`${message} ${fix}`] : [],
    );
  await eventually(blocked).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /blocked https:\/\/persistent\.oaistatic\.com\/\S+\.js \(script-src-elem\).*resource_domains/,
      ),
      expect.stringMatching(/blocked https:\/\/persistent\.oaistatic\.com\/\S+\.css \(style-src-elem\)/),
    ]),
  );
  // Both legs are in the recording, as with every other transport.
  const methods = toMessages(await stage.recording()).flatMap(({ leg, method }) =>
    leg === 'server' ? [method] : [],
  );
  expect(methods).toEqual(expect.arrayContaining(['tools/call', 'resources/read']));
  await stage.close();
});
