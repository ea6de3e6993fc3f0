import { fileURLToPath } from 'node:url';
import type * as ElementModule from '@casement/host/element';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startWorld, type World } from '../../support/world.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { addBundle } from '../../support/bundle.js';
import { waitUntil } from '../../support/eventually.js';
import { guestIn, receivedBy, reportOf } from '../../support/guest.js';
import { useTab } from '../../support/tab.js';

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

/** Makes `casementElement` global in a page. */
export const addElement = (page: Page): Promise<void> =>
  addBundle(page, {
    entryPoints: [fileURLToPath(import.meta.resolve('@casement/host/element'))],
    globalName: 'casementElement',
  });

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

/** Gives an empty page the element, and ears for all of its events. */
const furnish = async (page: Page, { define = true } = {}): Promise<Page> => {
  await addElement(page);
  await page.evaluate(listenForEvents);
  if (define) await page.evaluate(() => window.casementElement.defineMcpApp());
  return page;
};

/** A page of the host origin that has the element and hears all of its events; nothing else is on it. */
export const openPage = async (
  browser: Browser,
  origin: string,
  options: Parameters<typeof furnish>[1] = {},
): Promise<Page> => {
  const page = await browser.newPage();
  await page.goto(`${origin}/`);
  return furnish(page, options);
};

/** Browser, servers and, for each test, a new page with the element; made and put away with the test file. */
export const useElementPage = () => {
  // Filled before the first test runs.
  const host = {} as { browser: Browser; world: World; page: Page };
  const tab = useTab();
  beforeAll(async () => {
    [host.browser, host.world] = await Promise.all([openBrowser(), startWorld()]);
  });
  beforeEach(async () => {
    host.page = await furnish(await tab.open(host.browser, `${host.world.hostOrigin}/`));
  });
  afterAll(async () => {
    await closeContexts();
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
export const guestOf = (page: Page): Promise<Frame> => guestIn(page.locator('mcp-app iframe').first());

/** What the guest put into its report, once it is there. */
export const readReport = async (page: Page): Promise<unknown> => reportOf(await guestOf(page));

/** The messages a guest got so far, by method. */
export const received = async (page: Page, method: string): Promise<unknown[]> =>
  receivedBy(await guestOf(page), method);
