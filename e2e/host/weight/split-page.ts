import type { MountedApp } from '@casement/host';
import type * as HostModule from '@casement/host';
import type * as StartModule from '@casement/protocol/start';
import type { Page, Route } from 'playwright-core';
// @ts-expect-error -- the scripts have no types
import { buildAppPage as untyped } from '../../../scripts/lib/sizes.mjs';

interface AppPage {
  readonly entry: string;
  readonly onDemand: ReadonlyMap<string, string>;
  readonly texts: ReadonlyMap<string, string>;
  readonly withOneApp: readonly string[];
}

// The scripts have no types; this is what the function returns.
export const appPage = await (untyped as () => Promise<AppPage>)();

/** What a mounted app was seen to do to the page around it. */
interface Seen {
  readonly app: MountedApp;
  /** What the app logged. */
  readonly logs: unknown[];
  /** Questions the user was asked, pages that were opened, files that were saved, tools that were called. */
  readonly asked: string[];
  readonly done: string[];
  /** The methods of what was sent to the app. */
  sent(): string[];
}

declare global {
  interface Window {
    splitHost: typeof HostModule & typeof StartModule;
    splitSeen: Seen[];
  }
}

/** How the page's server treats one file. */
type Treatment = 'served' | 'held' | 'missing';

/** An embedder's page in the files its bundler made, and the way to keep one of them from it. */
export interface SplitPage {
  /** The names of the files that were asked for so far. */
  readonly fetched: ReadonlySet<string>;
  /** Serves the file that was held. */
  release(): Promise<void>;
}

/** Puts the host into a page file by file. */
export const openSplitPage = async (
  page: Page,
  file?: string,
  treatment: Treatment = 'served',
): Promise<SplitPage> => {
  const fetched = new Set<string>();
  const held: Route[] = [];
  let isHeld = treatment === 'held';
  const serve = (route: Route, name: string): Promise<void> =>
    route.fulfill({ contentType: 'text/javascript', body: appPage.texts.get(name) ?? '' });
  const toName = (route: Route): string => new URL(route.request().url()).pathname.split('/').pop() ?? '';
  await page.route('**/code/*.js', async (route) => {
    const name = toName(route);
    fetched.add(name);
    if (name !== file || treatment === 'served') return serve(route, name);
    if (treatment === 'missing') return route.fulfill({ status: 404 });
    if (!isHeld) return serve(route, name);
    held.push(route);
  });
  await page.evaluate(() => {
    window.splitSeen = [];
  });
  const content = `import * as host from '/code/${appPage.entry}'; window.splitHost = host;`;
  await page.addScriptTag({ type: 'module', content });
  await page.waitForFunction(() => window.splitHost !== undefined);
  return {
    fetched,
    async release() {
      isHeld = false;
      await Promise.all(held.splice(0).map((route) => serve(route, toName(route))));
    },
  };
};

/** Mounts an app over a plain port, with every hook an embedder can give; the user says no to everything. */
export const mountIn = (
  page: Page,
  plan: { html: string; base: string; ui?: object; options?: object },
): Promise<void> =>
  page.evaluate(({ html, base, ui, options }) => {
    const uri = 'ui://weather/app';
    const logs: unknown[] = [];
    const asked: string[] = [];
    const done: string[] = [];
    const recording = window.splitHost.createRecording({ writer: 'page' });
    const no = (what: string) => async (): Promise<false> => {
      asked.push(what);
      return false;
    };
    const { createObjectURL } = URL;
    URL.createObjectURL = (blob) => {
      done.push('file');
      return createObjectURL(blob);
    };
    const container = document.createElement('section');
    document.body.append(container);
    const app = window.splitHost.mountApp(container, {
      server: {
        name: 'weather',
        identity: 'test-weather',
        listTools: async () => [
          { name: 'harm', inputSchema: { type: 'object' }, annotations: { destructiveHint: true } },
        ],
        async callTool({ name }) {
          done.push(`call ${name}`);
          return { content: [] };
        },
        readResource: async () => ({
          contents: [
            { uri, mimeType: 'text/html;profile=mcp-app', text: html, ...(ui ? { _meta: { ui } } : {}) },
          ],
        }),
        listResources: async () => [],
        subscribe: () => () => undefined,
      },
      tool: { name: 'show', inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: uri } } },
      sandbox: { base },
      displayModes: ['inline', 'fullscreen'],
      onLog: ({ data }) => logs.push(data),
      openLink: (url) => done.push(`link ${url}`),
      onOpenLink: no('link'),
      onDownload: no('download'),
      onToolCall: no('tool'),
      onMessage: no('message'),
      onSampling: no('sampling'),
      async createMessage() {
        done.push('sampling');
        return { model: 'm', role: 'assistant', content: { type: 'text', text: '' } };
      },
      recording,
      ...options,
    });
    const sent = (): string[] =>
      recording.entries().flatMap(({ dir, raw }) => (dir === 'out' ? [String(Object(raw).method)] : []));
    window.splitSeen.push({ app, logs, asked, done, sent });
  }, plan);

/** What is known of an app by now, without its functions. */
export const look = (page: Page, index = 0) =>
  page.evaluate((at) => {
    const { app, logs, asked, done, sent } = window.splitSeen[at] as Seen; // tests look at apps they mounted
    const { status, failure, dropped } = app.getSnapshot();
    return { status, failure, dropped, logs, asked, done, sent: sent() };
  }, index);
