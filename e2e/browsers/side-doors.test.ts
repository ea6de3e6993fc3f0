import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { toBrowserStage } from './support/browser-stage.js';
import { INSIDE, openSideNetwork } from './support/side-network.js';
import { startBrowser, type BrowserName } from './support/start-browser.js';

// What no content policy governs: WebRTC, lookups of names, opened connections. The listener is not on loopback but in
// a network namespace, because browsers treat loopback otherwise. A plain page is the control for each app: what it
// cannot do either tells nothing of the app.
const folder = createTempFolder();
const leak = `http://${INSIDE}`;
let casement: RunningCasement;
let plain: Server;

beforeAll(async () => {
  const script = join(import.meta.dirname, '..', 'fixtures', 'fixture-server.mjs');
  const command = [process.execPath, script, '--guests', '../browsers/guests', '--leak', leak];
  casement = await startCasement([
    '--config',
    writeConfig(folder.path, { fixture: command }),
    '--trust-config',
  ]);
  const html = readFileSync(join(import.meta.dirname, 'guests', 'side-doors.html'), 'utf8')
    .replaceAll('{{leak}}', leak)
    .replace('<script src="guest-bridge.js"></script>', '');
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
  folder.remove();
});

const names = ['name of preconnect', 'name of prefetch'];
const all = ['STUN', 'connection', ...names, 'name of webrtc'];

test.for<{ name: BrowserName; plainDoors: string[]; appDoors: string[]; onTab?: string }>([
  { name: 'chromium', plainDoors: all, appDoors: [] },
  { name: 'firefox', plainDoors: all, appDoors: all, onTab: 'WebRTC, DNS prefetch and preconnect' },
  // It has no RTCPeerConnection, so that of WebRTC nothing can be said.
  {
    name: 'webkit',
    plainDoors: ['connection', ...names],
    appDoors: ['connection', ...names],
    onTab: 'DNS prefetch and preconnect',
  },
])(
  '$name: what leaves an app by WebRTC, names and connections',
  async ({ name, plainDoors, appDoors, onTab }, { skip }) => {
    const network = await openSideNetwork();
    if (network === undefined) return skip('network namespaces are not permitted here');
    try {
      const browser = await startBrowser(name, { within: network.within });
      try {
        // Nothing tells that no more will come; the control shows that this is long enough.
        const pass = () => new Promise((resolve) => setTimeout(resolve, 5000));
        // A TCP server always reports an AddressInfo.
        const { port } = plain.address() as AddressInfo;
        // WebKit looks no name up ahead for the first page it opens.
        for (const visit of [1, 2]) {
          await browser.goto(`http://127.0.0.1:${port}/?visit=${visit}`);
          await pass();
        }
        expect(network.seen('plain'), 'control: a plain page').toEqual(plainDoors);
        const stage = toBrowserStage(browser);
        await stage.open(casement.url, { server: 'fixture', tool: 'side-doors', args: {}, run: true });
        await stage.reaches('ready');
        const tried = name === 'webkit' ? 'no RTCPeerConnection' : 'offered';
        await eventually(() => stage.textOfApp('#report')).toBe(tried);
        await pass();
        expect(network.seen('app'), 'an app').toEqual(appDoors);
        await browser.press(0, '[role=tab]', 'Security');
        const said = async () => / but (.+) are not: /.exec(await stage.textOf('[role=tabpanel]'))?.[1];
        await eventually(said).toBe(onTab);
      } finally {
        await browser.close();
      }
    } finally {
      await network.close();
    }
  },
);
