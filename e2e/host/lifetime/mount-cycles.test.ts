import { fileURLToPath } from 'node:url';
import type * as HostModule from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import type { CallToolResult } from '@casement/protocol';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toApp } from '../../support/guest.js';
import { startWorld, type World } from '../../support/world.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { bundle } from '../../support/bundle.js';
import { eventually } from '../../support/eventually.js';
import { installLedger } from './ledger.js';

declare global {
  interface Window {
    casementHost: typeof HostModule;
    server: { subscribers: number; calls: number; cancelled: number };
    mountAndClose(count: number): Promise<string[]>;
  }
}

// Asks for something that is never answered, so that there is something to drop when it goes.
const busyApp = toApp(`
  await bridge.initialize();
  bridge.request('tools/call', { name: 'show', arguments: {} }).catch(() => undefined);
  bridge.notify('ui/notifications/size-changed', { width: 300, height: 200 });
`);

/** Runs in the page: a server of plain functions, and rounds of apps that are mounted together and closed again. */
const installRounds = ([html, base]: readonly [string, string]): void => {
  const uri = 'ui://lifetime/app';
  const tool = {
    name: 'show',
    inputSchema: { type: 'object' as const },
    _meta: { ui: { resourceUri: uri } },
  };
  window.server = { subscribers: 0, calls: 0, cancelled: 0 };
  const port: ServerPort = {
    name: 'lifetime',
    identity: 'lifetime',
    listTools: async () => [tool],
    callTool: (_params, { signal }) => {
      window.server.calls += 1;
      return new Promise<CallToolResult>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
      });
    },
    readResource: async () => ({ contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: html }] }),
    listResources: async () => [],
    subscribe() {
      window.server.subscribers += 1;
      return () => (window.server.subscribers -= 1);
    },
  };
  const until = (app: HostModule.MountedApp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const { status, failure, size } = app.getSnapshot();
        if (status === 'failed') reject(new Error(failure?.code));
        if (status !== 'ready' || !size) return;
        stop();
        resolve();
      };
      const stop = app.subscribe(look);
      look();
    });
  window.mountAndClose = (count) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const place = document.createElement('div');
        document.body.append(place);
        const app = window.casementHost.mountApp(place, {
          server: port,
          tool,
          sandbox: { base },
          toolInput: { city: 'Lisbon' },
          onOpenLink: async () => false,
          limits: { teardownMs: 2_000, lingerMs: 200 },
        });
        await until(app);
        await app.close('The round is over.');
        place.remove();
        return app.getSnapshot().status;
      }),
    );
};

let browser: Browser;
let world: World;
let page: Page;

beforeAll(async () => {
  [browser, world] = await Promise.all([openBrowser(), startWorld()]);
  const content = await bundle({
    entryPoints: [fileURLToPath(import.meta.resolve('@casement/host'))],
    globalName: 'casementHost',
  });
  page = await browser.newPage();
  await page.addInitScript(installLedger);
  await page.goto(`${world.hostOrigin}/`);
  await page.addScriptTag({ content });
  await page.evaluate(installRounds, [busyApp, world.base] as const);
});

afterAll(async () => {
  await closeContexts();
  await world?.close();
});

const rounds = 20;
const together = 10;

test('after 200 apps were mounted and closed nothing of them is left: no listener, frame, timer, observer or pending request', async () => {
  // The browser's driver has listeners of its own.
  const before = await page.evaluate(() => window.stillHeld());
  for (let round = 0; round < rounds; round += 1) {
    const ended = await page.evaluate((count) => window.mountAndClose(count), together);
    expect(ended).toEqual(Array.from({ length: together }, () => 'closed'));
  }
  // A pending request holds a timer, so no timer means none is pending.
  await eventually(() => page.evaluate(() => window.stillHeld())).toEqual(before);
  expect(before).toMatchObject({ timers: 0, frames: 0 });
  const { subscribers, calls } = await page.evaluate(() => window.server);
  expect({ subscribers, calls }).toEqual({ subscribers: 0, calls: rounds * together });
}, 300_000);
