import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { startLeakListener, type LeakListener } from '../support/leak-listener.js';
import { toBrowserStage } from './support/browser-stage.js';
import { browserNames, startBrowser, type StartedBrowser } from './support/start-browser.js';

const guests = join(import.meta.dirname, 'guests');
const folder = createTempFolder();
let casement: RunningCasement;
let leak: LeakListener;
/** Serves the guest as a plain page, for the control. */
let plain: Server;

beforeAll(async () => {
  leak = await startLeakListener();
  const script = join(import.meta.dirname, '..', 'fixtures', 'fixture-server.mjs');
  const command = [process.execPath, script, '--guests', '../browsers/guests', '--leak', leak.url];
  casement = await startCasement([
    '--config',
    writeConfig(folder.path, { fixture: command }),
    '--trust-config',
  ]);
  const html = readFileSync(join(guests, 'ways-out.html'), 'utf8')
    .replaceAll('{{leak}}', leak.url)
    .replace('<script src="guest-bridge.js"></script>', '<script>bridge = { report() {} }</script>');
  plain = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(html);
  });
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  plain?.closeAllConnections();
  plain?.close();
  await casement?.stop();
  await leak?.close();
  folder.remove();
});

describe.each(browserNames)('%s', (name) => {
  let browser: StartedBrowser;
  let before: number;
  // A browser asks for the icon of the control's page when it likes.
  const seen = () =>
    [...new Set(leak.requests.slice(before).map((line) => line.split(/[ ?]/)[1]))]
      .filter((path) => path !== '/favicon.ico')
      .sort();
  beforeAll(async () => {
    browser = await startBrowser(name);
  });
  afterAll(() => browser?.close());

  test('control: as a plain page it gets out', async () => {
    before = leak.requests.length;
    // A TCP server always reports an AddressInfo.
    const { port } = plain.address() as AddressInfo;
    await browser.goto(`http://127.0.0.1:${port}/`);
    await eventually(seen).toEqual(
      expect.arrayContaining(['/beacon', '/fetch', '/frame', '/img', '/script.js', '/style', '/xhr']),
    );
    await eventually(() => seen().some((path) => path === '/top' || path === '/navigated')).toBe(true);
  });

  test('as an app it reaches nobody, and cannot leave', async () => {
    before = leak.requests.length;
    const stage = toBrowserStage(browser);
    await stage.open(casement.url, { server: 'fixture', tool: 'ways-out', args: {}, run: true });
    await stage.reaches('ready');
    // Chromium ends the document that may not leave, which the host names; the others leave it where it is.
    const end = async () => (await stage.failure()) || (await stage.textOfApp('#report'));
    await eventually(end, 30_000).toMatch(name === 'chromium' ? /^app-navigated$/ : /"left":false/);
    expect(new URL(await browser.run(0, () => location.href)).port).toBe(String(casement.port));
    expect(seen()).toEqual([]);
  });
});
