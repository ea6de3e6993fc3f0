import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toApp } from '../support/guest.js';
import { startWorld, type World } from '../support/world.js';
import { closeContexts, openBrowser } from '../support/browser.js';
import { bundle } from '../support/bundle.js';
import { eventually } from '../support/eventually.js';
import { officialVersions, type OfficialVersion } from '../../test/interop/official-app.js';

type Params = Record<string, unknown>;

declare global {
  interface Window {
    guide: {
      showApp(
        container: Element,
        resource: Params,
        host: Params,
      ): Promise<{ getAppVersion(): Params | undefined }>;
    };
  }
}

const page = readFileSync(join(import.meta.dirname, '../../docs/guide/official-bridge.md'), 'utf8');
const [, block = ''] = /^```js\n(.*?)^```/ms.exec(page) ?? [];

/** The block of the page as it stands there, with one of the official versions. */
const bundleBlock = (version: OfficialVersion): Promise<string> =>
  bundle({
    stdin: { contents: block, resolveDir: import.meta.dirname },
    alias: {
      '@modelcontextprotocol/ext-apps/app-bridge': join(officialVersions[version], 'dist/src/app-bridge.js'),
    },
    globalName: 'guide',
  });

let browser: Browser;
let world: World;
beforeAll(async () => {
  [browser, world] = await Promise.all([openBrowser(), startWorld()]);
});
afterAll(async () => {
  await closeContexts();
  await world?.close();
});

test.each(Object.keys(officialVersions) as OfficialVersion[])(
  'the block of the guide shows an app behind our sandbox with the official bridge %s',
  async (version) => {
    const host = await browser.newPage();
    await host.goto(`${world.hostOrigin}/`);
    await host.addScriptTag({ content: await bundleBlock(version) });
    const html = toApp(`await bridge.initialize();
      bridge.notify('ui/notifications/size-changed', { height: 222 });
      bridge.report([location.origin, await bridge.callTool('echo', { a: 1 })]);`);
    const name = await host.evaluate(
      async ([text, base]) => {
        const callTool = async ({ arguments: args }: { arguments: unknown }) => ({
          content: [{ type: 'text', text: JSON.stringify(args) }],
        });
        const resource = {
          html: text,
          uri: 'ui://weather/app',
          csp: { connectDomains: ['https://api.example.com'] },
        };
        const shown = await window.guide.showApp(document.body, resource, {
          base,
          identity: 'weather',
          callTool,
        });
        return shown.getAppVersion()?.name;
      },
      [html, world.base] as const,
    );
    expect(name).toBe('guest');
    const [proxy] = host.mainFrame().childFrames();
    const guest = proxy?.childFrames()[0];
    await eventually(() => guest?.textContent('#report')).toContain('{\\"a\\":1}');
    // On an origin of its own, which is neither the page's nor the proxy's.
    const origin = (url = '') => new URL(url).origin;
    expect(new Set([host.url(), proxy?.url(), guest?.url()].map(origin)).size).toBe(3);
    await eventually(() => host.locator('iframe').evaluate((frame) => frame.clientHeight)).toBe(222);
    await host.close();
  },
);
