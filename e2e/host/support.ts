import type * as HostModule from '@casement/host';
import type * as DialogsModule from '@casement/host/dialogs';
import type * as PrepareModule from '@casement/host/prepare';
import type { RecordingEntry } from '@casement/protocol';
import type * as ProtocolModule from '@casement/protocol';
import type * as StartModule from '@casement/protocol/start';
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { addBundle } from '../support/bundle.js';
import { waitUntil } from '../support/eventually.js';
import { guestIn, receivedBy } from '../support/guest.js';

/** What a test says about an app; everything survives the way into the page. */
export interface AppPlan {
  readonly html: string;
  readonly base: string;
  readonly server?: string;
  readonly tool?: string;
  /** `_meta.ui` of the resource. */
  readonly ui?: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Puts the app in a shadow root. */
  readonly inShadow?: boolean;
}

interface Shown {
  readonly app: HostModule.MountedApp;
  readonly container: HTMLElement;
  readonly recording: ProtocolModule.Recording;
}

declare global {
  interface Window {
    hostModule: typeof HostModule &
      typeof DialogsModule &
      typeof PrepareModule &
      Pick<typeof StartModule, 'CasementError' | 'createRecording'>;
    hostApps: Shown[];
    showApp(plan: AppPlan): void;
    /** What a test keeps between two evaluations. */
    hostHeld: Record<string, unknown>;
  }
}

const entry = `
export * from '@casement/host';
export * from '@casement/host/dialogs';
export * from '@casement/host/prepare';
export { CasementError, createRecording } from '@casement/protocol/start';`;

const installPage = (): void => {
  window.hostApps = [];
  window.hostHeld = {};
  window.showApp = ({ html, base, server = 'weather', tool = 'show_weather', ui, options, inShadow }) => {
    const container = document.createElement('section');
    const place = document.createElement('div');
    if (inShadow) container.attachShadow({ mode: 'open' }).append(place);
    document.body.append(container);
    const uri = 'ui://weather/app';
    const recording = window.hostModule.createRecording({ writer: 'page' });
    const app = window.hostModule.mountApp(inShadow ? place : container, {
      server: {
        name: server,
        identity: `test-${server}`,
        listTools: async () => [],
        callTool: async () => ({ content: [] }),
        readResource: async () => ({
          contents: [
            { uri, mimeType: 'text/html;profile=mcp-app', text: html, ...(ui ? { _meta: { ui } } : {}) },
          ],
        }),
        listResources: async () => [],
        subscribe: () => () => undefined,
      },
      tool: { name: tool, inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: uri } } },
      sandbox: { base },
      recording,
      ...options,
    });
    window.hostApps.push({ app, container, recording });
  };
};

/** Gives a page, or a page in a frame, the host's code. */
export const installHost = async (target: Page | Frame): Promise<void> => {
  const stdin = { contents: entry, resolveDir: import.meta.dirname };
  await addBundle(target, { stdin, globalName: 'hostModule' });
  await target.evaluate(installPage);
};

/** Puts the host on an empty page, and a field to type in. */
export const furnish = async (page: Page): Promise<Page> => {
  await installHost(page);
  await page.evaluate(() => {
    document.documentElement.lang = 'en';
    document.documentElement.style.colorScheme = 'light dark';
    Object.assign(document.body.style, { font: '14px system-ui', background: 'Canvas', color: 'CanvasText' });
    const main = document.createElement('main');
    const title = document.createElement('h1');
    title.textContent = 'A chat';
    const field = document.createElement('input');
    field.id = 'field';
    field.setAttribute('aria-label', 'Message');
    main.append(title, field);
    document.body.append(main);
  });
  return page;
};

/** A page of the host origin with nothing on it but a field to type in. */
export const openPage = async (
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
  context?: BrowserContext,
): Promise<Page> => {
  const page = await (context ? context.newPage() : browser.newPage(options));
  await page.goto(`${origin}/`);
  return furnish(page);
};

/** Mounts an app and waits until it has a status. */
export const show = async (page: Page, plan: AppPlan, status = 'ready'): Promise<number> => {
  await page.evaluate((given) => window.showApp(given), plan);
  const index = await page.evaluate(() => window.hostApps.length - 1);
  await reaches(page, status, index);
  return index;
};

/** Waits until an app has a status; a failure nobody waited for ends the wait. */
export const reaches = async (page: Page, status: string, index = 0): Promise<void> => {
  const read = () =>
    page.evaluate((at) => {
      const { status: now, failure } = window.hostApps[at]?.app.getSnapshot() ?? {};
      return { now, failure };
    }, index);
  const { now, failure } = await waitUntil(read, (seen) => seen.now === status || seen.now === 'failed', {
    what: `The status ${status}`,
  });
  if (now !== status) throw new Error(`${failure?.code}: ${failure?.message}`);
};

/** The mode an app is in, as its session says. */
export const modeOf = (page: Page, index = 0): Promise<string | undefined> =>
  page.evaluate((at) => window.hostApps[at]?.app.getSnapshot().displayMode, index);

/** The document of the app itself: the frame in the proxy's frame. */
export const guestOf = (page: Page, index = 0): Promise<Frame> => guestIn(page.locator('iframe').nth(index));

/** The messages a guest got so far, by method. */
export const received = async (page: Page, method: string, index = 0): Promise<unknown[]> =>
  receivedBy(await guestOf(page, index), method);

/** What was recorded of one kind, oldest first. */
export const recorded = (page: Page, kind: RecordingEntry['kind'], index = 0): Promise<unknown[]> =>
  page.evaluate(
    ([wanted, at]) =>
      (window.hostApps[at]?.recording.entries() ?? [])
        .filter((entry) => entry.kind === wanted)
        .map(({ raw }) => raw),
    [kind, index] as const,
  );
