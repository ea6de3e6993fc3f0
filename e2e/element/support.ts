import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type * as ElementModule from '@casement/host/element';
import { build } from 'esbuild';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startWorld, type World } from '../sandbox/support.js';
import { launchBrowser } from '../support/browser.js';
import { waitUntil } from '../support/eventually.js';

/** One event of the element as the page heard it; functions and signals of its detail are left out. */
export interface HeardEvent {
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

declare global {
  interface Window {
    casementElement: typeof ElementModule;
    heard: HeardEvent[];
    app: ElementModule.McpAppElement;
    /** Anything a test wants to keep between two evaluations. */
    kept: Record<string, unknown>;
  }
}

const bridge = readFileSync(new URL('../fixtures/guest-bridge.js', import.meta.url), 'utf8');

/** An app with the bridge and a script of its own. */
export const toApp = (script: string): string =>
  `<!doctype html><title>guest</title><body><p id="shown">guest</p><pre id="report"></pre><script>${bridge}</script><script type="module">${script}</script></body>`;

/** An app that says hello and then does nothing. */
export const quietApp = toApp('await bridge.initialize();');

const bundleElement = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(import.meta.resolve('@casement/host/element'))],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'casementElement',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
};

let bundled: Promise<string> | undefined;

/** The element as a script that makes `casementElement` global; built once per test file. */
export const bundle = (): Promise<string> => (bundled ??= bundleElement());

const listenForEvents = (): void => {
  window.heard = [];
  window.kept = {};
  const names = [
    'initialize',
    'initialized',
    'size-changed',
    'display-mode-changed',
    'request-display-mode',
    'sandbox-proxy-ready',
    'sandbox-resource-ready',
    'open-link',
    'notifications-message',
    'message',
    'update-model-context',
    'download',
    'sampling',
    'request-teardown',
    'tools-changed',
    'tools-call',
    'resources-read',
    'failure',
  ];
  for (const name of names) {
    document.addEventListener(`mcp-app-${name}`, (event) => {
      // Only the element fires these, always with a detail.
      const { detail } = event as CustomEvent<Record<string, unknown>>;
      const plain = Object.entries(detail).filter(
        ([, value]) => typeof value !== 'function' && !(value instanceof AbortSignal),
      );
      window.heard.push({ type: event.type, detail: Object.fromEntries(plain) });
    });
  }
};

/** A page of the host origin that has the element and hears all of its events; nothing else is on it. */
export const openPage = async (browser: Browser, origin: string, { define = true } = {}): Promise<Page> => {
  const page = await browser.newPage();
  await page.goto(`${origin}/`);
  await page.addScriptTag({ content: await bundle() });
  await page.evaluate(listenForEvents);
  if (define) await page.evaluate(() => window.casementElement.defineMcpApp());
  return page;
};

/** Browser, servers and, for each test, a new page with the element; made and put away with the test file. */
export const useElementPage = () => {
  // Filled before the first test runs.
  const host = {} as { browser: Browser; world: World; page: Page };
  beforeAll(async () => {
    [host.browser, host.world] = await Promise.all([launchBrowser(), startWorld()]);
  });
  beforeEach(async () => {
    host.page = await openPage(host.browser, host.world.hostOrigin);
  });
  afterEach(() => host.page.close());
  afterAll(async () => {
    await host.browser?.close();
    await host.world?.close();
  });
  return host;
};

/** Puts an element with a tool and prefetched HTML on the page and waits for nothing. */
export const showHtml = (
  page: Page,
  html: string,
  attributes: Record<string, string>,
  limits: Record<string, number> = {},
): Promise<void> =>
  page.evaluate(
    ([text, given, bounds]) => {
      const app = document.createElement('mcp-app');
      window.app = app;
      for (const [name, value] of Object.entries(given)) app.setAttribute(name, value);
      app.tool = { name: 'app', inputSchema: { type: 'object' } };
      app.resourceHtml = text;
      app.limits = bounds;
      document.body.append(app);
    },
    [html, attributes, limits] as const,
  );

/** Waits until the element's app has a status. */
export const reaches = (page: Page, status: string): Promise<string | undefined> =>
  waitUntil(
    () => page.evaluate(() => window.app.dataset.appStatus),
    (now) => now === status,
    { what: `The status ${status}` },
  );

/** Whether the app, with what the host draws around it, has the whole window. */
export const coversWindow = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const box = window.app.querySelector('[data-display-mode]')?.getBoundingClientRect();
    return box?.width === innerWidth && box.height === innerHeight;
  });

/** What was heard of one event so far, oldest first. */
export const heard = (page: Page, name: string): Promise<HeardEvent['detail'][]> =>
  page.evaluate(
    (type) => window.heard.filter((event) => event.type === type).map(({ detail }) => detail),
    `mcp-app-${name}`,
  );

/** The document of the app itself: the frame in the proxy's frame. */
export const guestOf = async (page: Page): Promise<Frame> => {
  const handle = await page.waitForSelector('mcp-app iframe', { state: 'attached' });
  const proxy = await handle.contentFrame();
  return waitUntil(
    () => proxy?.childFrames()[0],
    (frame) => frame !== undefined,
    { what: 'The frame of the app' },
  ).then((frame) => {
    if (!frame) throw new Error('The app has no frame.');
    return frame;
  });
};

/** What the guest put into its report, once it is there. */
export const readReport = async (page: Page): Promise<unknown> => {
  const guest = await guestOf(page);
  const element = await guest.waitForSelector('#report[data-done]', { state: 'attached' });
  return JSON.parse((await element.textContent()) ?? 'null');
};

/** The messages a guest got so far, by method. */
export const received = async (page: Page, method: string): Promise<unknown[]> =>
  (await guestOf(page)).evaluate(
    (name) =>
      // The guest's bridge keeps them under this name.
      (
        globalThis as unknown as { bridge: { received: { method?: string; params?: unknown }[] } }
      ).bridge.received
        .filter((message) => message.method === name)
        .map(({ params }) => params),
    method,
  );
