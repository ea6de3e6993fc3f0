import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toApp } from '../host/support.js';
import { startWorld, type World } from '../sandbox/support.js';
import { launchBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { officialVersions, type OfficialVersion } from './official-app.js';

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
const bundleBlock = async (version: OfficialVersion): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: block, resolveDir: import.meta.dirname },
    alias: {
      '@modelcontextprotocol/ext-apps/app-bridge': join(officialVersions[version], 'dist/src/app-bridge.js'),
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'guide',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
};

let browser: Browser;
let world: World;
beforeAll(async () => {
  [browser, world] = await Promise.all([launchBrowser(), startWorld()]);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

test.each(Object.keys(officialVersions) as OfficialVersion[])(
  'E10 the block of the guide shows an app behind our sandbox with the official bridge %s',
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
