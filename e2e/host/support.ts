import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type * as HostModule from '@casement/host';
import type * as DialogsModule from '@casement/host/dialogs';
import type { RecordingEntry } from '@casement/protocol';
import type * as ProtocolModule from '@casement/protocol';
import { build } from 'esbuild';
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { waitUntil } from '../support/eventually.js';

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
    hostModule: typeof HostModule & typeof DialogsModule & Pick<typeof ProtocolModule, 'createRecording'>;
    hostApps: Shown[];
    showApp(plan: AppPlan): void;
    /** What a test keeps between two evaluations. */
    hostHeld: Record<string, unknown>;
  }
}

const bridge = readFileSync(new URL('../fixtures/guest-bridge.js', import.meta.url), 'utf8');

/** An app with the bridge and a script of its own. */
export const toApp = (script: string, style = ''): string =>
  `<!doctype html><title>guest</title><style>${style}</style><body><p id="shown">guest</p><input aria-label="in the app"><pre id="report"></pre><script>${bridge}</script><script type="module">${script}</script></body>`;

/** An app that says hello and then does nothing. */
export const quietApp = toApp('await bridge.initialize();');

const entry = `
export * from '@casement/host';
export * from '@casement/host/dialogs';
export { createRecording } from '@casement/protocol';`;

const bundleHost = async (): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'hostModule',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
};

let bundled: Promise<string> | undefined;

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
  await target.addScriptTag({ content: await (bundled ??= bundleHost()) });
  await target.evaluate(installPage);
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
export const guestOf = async (page: Page, index = 0): Promise<Frame> => {
  const handle = await page.locator('iframe').nth(index).elementHandle();
  const proxy = await handle?.contentFrame();
  const frame = await waitUntil(
    () => proxy?.childFrames()[0],
    (inner) => inner !== undefined,
    { what: 'The frame of the app' },
  );
  if (!frame) throw new Error('The app has no frame.');
  return frame;
};

/** The messages a guest got so far, by method. */
export const received = async (page: Page, method: string, index = 0): Promise<unknown[]> =>
  (await guestOf(page, index)).evaluate(
    (name) =>
      // The guest's bridge keeps them under this name.
      (
        globalThis as unknown as { bridge: { received: { method?: string; params?: unknown }[] } }
      ).bridge.received
        .filter((message) => message.method === name)
        .map(({ params }) => params),
    method,
  );

/** What was recorded of one kind, oldest first. */
export const recorded = (page: Page, kind: RecordingEntry['kind'], index = 0): Promise<unknown[]> =>
  page.evaluate(
    ([wanted, at]) =>
      (window.hostApps[at]?.recording.entries() ?? [])
        .filter((entry) => entry.kind === wanted)
        .map(({ raw }) => raw),
    [kind, index] as const,
  );
