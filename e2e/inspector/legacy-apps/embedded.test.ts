import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AppSnapshot, MountAppOptions, MountedApp } from '@casement/host';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { page, useSandbox, world } from '../../sandbox/fixture.js';
import { bundle } from '../../support/bundle.js';
import { eventually } from '../../support/eventually.js';

useSandbox();

interface Embedder {
  /** The bundle of the host, as a script. */
  legacyHost: { mountApp(container: HTMLElement, options: MountAppOptions): MountedApp };
  legacyApp: MountedApp;
  asked: unknown[];
}

const bundleHost = (): Promise<string> =>
  bundle({
    entryPoints: [fileURLToPath(import.meta.resolve('@casement/host'))],
    globalName: 'legacyHost',
  });

/** Mounts one of the apps in a page that is nothing but an embedder, with a server of a few lines. */
const mount = async (file: string, mimeType: string, { result = true } = {}): Promise<void> => {
  const html = await readFile(join(import.meta.dirname, 'apps', `${file}.html`), 'utf8');
  await page.addScriptTag({ content: await bundleHost() });
  await page.evaluate(
    ([text, type, base, hasResult]) => {
      // The script above put the first of these there; the others are this test's own.
      const embedder = window as unknown as Embedder;
      const uri = 'ui://weather/dashboard';
      const say = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
      embedder.asked = [];
      embedder.legacyApp = embedder.legacyHost.mountApp(document.body, {
        server: {
          name: 'weather',
          identity: 'weather',
          listTools: async () => [{ name: 'forecast', inputSchema: { type: 'object' } }],
          callTool: async ({ name }) => say(`result of ${name}`),
          readResource: async ({ uri: wanted }) => ({
            contents: [{ uri: wanted, mimeType: type, text: wanted === uri ? text : 'a note' }],
          }),
          listResources: async () => [],
          subscribe: () => () => undefined,
        },
        tool: { name: 'weather', inputSchema: { type: 'object' }, _meta: { 'ui/resourceUri': uri } },
        sandbox: { base },
        toolInput: { location: 'Bern' },
        openLink: (url) => void embedder.asked.push(url),
        onOpenLink: async ({ url }) => embedder.asked.push(url) > 0,
        onMessage: async ({ content }) => embedder.asked.push(content) > 0,
      });
      if (!hasResult) return;
      embedder.legacyApp.sendToolResult({ content: [], structuredContent: { temperature: 72 } });
    },
    [html, mimeType, world.base, result] as const,
  );
};

const readApp = async (): Promise<string> => {
  const app = page.frames().find((frame) => frame.parentFrame()?.parentFrame());
  return app ? app.locator('body').innerText() : '';
};

const snapshot = (): Promise<AppSnapshot> =>
  page.evaluate(() => (window as unknown as Embedder).legacyApp.getSnapshot());

verifies(
  ['S1-02', 'S1-97', 'S1-127'],
  'mountApp shows the first draft’s sample, which never shakes hands',
  async () => {
    await mount('weather', 'text/html+mcp');
    await eventually(readApp).toBe('Weather for Bern\n\nTemperature: 72°F');
    expect((await snapshot()).status).toBe('ready');
  },
);

verifies(
  ['S1-57', 'S1-58', 'S1-101', 'S1-102', 'S1-112'],
  'a link and a message of mcpApp reach the embedder, and the answers come back',
  async () => {
    await mount('mcp-app-methods', 'text/html;profile=mcp-app');
    await eventually(readApp).toContain('resized');
    const text = await readApp();
    expect(text).toContain('callTool: result of forecast');
    expect(text).toContain('readResource: a note');
    expect(text).toContain('openLink: {}');
    expect(text).toContain('sendMessage: {}');
    // Asked about, then opened; then the message.
    expect(await page.evaluate(() => (window as unknown as Embedder).asked)).toEqual([
      'https://example.com/weather',
      'https://example.com/weather',
      [{ type: 'text', text: 'It is sunny.' }],
    ]);
  },
);

verifies(
  'S1-108',
  'a call given up before its result reaches the app as an event, with the reason',
  async () => {
    await mount('mcp-app-methods', 'text/html;profile=mcp-app', { result: false });
    await eventually(async () => (await snapshot()).status).toBe('ready');
    await page.evaluate(() => (window as unknown as Embedder).legacyApp.sendToolCancelled('changed my mind'));
    await eventually(readApp).toContain('cancelled: changed my mind');
  },
);
