import type * as HostModule from '@casement/host';
import type { HostContext, RecordingEntry } from '@casement/protocol';
import type * as ProtocolModule from '@casement/protocol';
import type * as StartModule from '@casement/protocol/start';
import type { Browser, Frame, Page } from 'playwright-core';
import { addBundle } from '../support/bundle.js';
import { waitUntil } from '../support/eventually.js';
import { borrowPage } from '../support/borrowed-page.js';

/** What the embedder of the page was asked or told, in order. */
interface Asked {
  readonly what: string;
  readonly value: unknown;
}

declare global {
  interface Window {
    interop: typeof HostModule & typeof ProtocolModule & typeof StartModule;
    counterpart: {
      readonly app: HostModule.MountedApp;
      readonly recording: ProtocolModule.Recording;
      readonly asked: Asked[];
      /** What the person answers to the next questions. */
      consent: boolean;
    };
  }
}

/** What a test decides about the host. */
export interface HostPlan {
  readonly html: string;
  readonly base: string;
  readonly hostContext?: HostContext;
}

const host = {
  stdin: {
    contents:
      "export * from '@casement/host'; export * from '@casement/protocol'; export * from '@casement/protocol/start';",
    resolveDir: import.meta.dirname,
  },
  globalName: 'interop',
};

const mount = ({ html, base, hostContext }: HostPlan): void => {
  const uri = 'ui://interop/app';
  const asked: Asked[] = [];
  const hear = (what: string, value: unknown): void => void asked.push({ what, value });
  const recording = window.interop.createRecording({ writer: 'page' });
  const schema = { type: 'object' } as const;
  const fail = (): never => {
    throw new window.interop.CasementError('tool-failed', 'The oven is cold.');
  };
  const app = window.interop.mountApp(document.body, {
    server: {
      name: 'interop',
      identity: 'interop',
      listTools: async () => [
        { name: 'echo', inputSchema: schema },
        { name: 'fail', inputSchema: schema },
        { name: 'slow', inputSchema: schema },
        { name: 'save', inputSchema: schema, _meta: { ui: { visibility: ['app'] } } },
        { name: 'secret', inputSchema: schema, _meta: { ui: { visibility: ['model'] } } },
      ],
      async callTool({ name, arguments: args = {} }, { signal, onProgress }) {
        hear(`tool ${name}`, args);
        if (name === 'fail') return fail();
        if (name === 'slow') {
          onProgress?.({ progress: 1, total: 2, message: 'half' });
          await new Promise((resolve) => signal?.addEventListener('abort', resolve));
          hear('aborted', {});
        }
        return { content: [{ type: 'text', text: 'done' }], structuredContent: args };
      },
      async readResource(params) {
        if (params.uri === uri) {
          return { contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: html }] };
        }
        hear('read', params.uri);
        return { contents: [{ uri: params.uri, mimeType: 'text/plain', text: 'a note' }] };
      },
      listResources: async () => [{ uri: 'note://1', name: 'note' }],
      subscribe: () => () => undefined,
    },
    tool: { name: 'show', inputSchema: schema, _meta: { ui: { resourceUri: uri } } },
    sandbox: { base },
    recording,
    hostInfo: { name: 'interop host', version: '9.9.9' },
    displayModes: ['inline', 'fullscreen', 'pip'],
    ...(hostContext ? { hostContext } : {}),
    openLink: (url) => hear('opened', url),
    onOpenLink: async ({ url }) => {
      hear('link', url);
      return window.counterpart.consent;
    },
    onMessage: async ({ role, content }) => {
      hear('message', { role, content });
      return window.counterpart.consent;
    },
    onDownload: async ({ files }) => {
      hear('download', files);
      return window.counterpart.consent;
    },
    onSampling: async ({ params }) => {
      hear('sampling', params.messages);
      return window.counterpart.consent;
    },
    createMessage: async () => ({
      model: 'a model',
      role: 'assistant',
      content: { type: 'text', text: 'forty-two' },
      stopReason: 'endTurn',
    }),
    onModelContext: (context) => hear('context', context ?? null),
    onLog: (entry) => hear('log', entry),
  });
  let seen: ReturnType<typeof app.getSnapshot> | undefined;
  app.subscribe(() => {
    const now = app.getSnapshot();
    if (now.status === 'ready' && seen?.status !== 'ready') hear('initialized', now.appInfo?.name);
    if (now.size && now.size !== seen?.size) hear('size', now.size);
    seen = now;
  });
  window.counterpart = { app, recording, asked, consent: true };
};

/** A page of the host origin with our host and one app on it, mounted and not yet waited for. */
export const openHost = async (browser: Browser, origin: string, plan: HostPlan): Promise<Page> => {
  const page = await borrowPage(browser);
  await page.goto(`${origin}/`);
  await addBundle(page, host);
  await page.evaluate(mount, plan);
  return page;
};

/** The document of the app once the official class says it is connected. */
export const connectedGuest = async (page: Page): Promise<Frame> => {
  const guest = await waitUntil(
    () => page.frames().find((frame) => frame.parentFrame()?.parentFrame() === page.mainFrame()),
    (frame) => frame !== undefined,
    { what: 'The frame of the app' },
  );
  if (!guest) throw new Error('The app has no frame.');
  await guest.waitForSelector('body[data-connected]', { state: 'attached' });
  return guest;
};

/** What the embedder was asked under one name, so far. */
export const askedFor = (page: Page, what: string): Promise<unknown[]> =>
  page.evaluate(
    (name) => window.counterpart.asked.filter((entry) => entry.what === name).map(({ value }) => value),
    what,
  );

/** The recording so far. */
export const recorded = (page: Page): Promise<readonly RecordingEntry[]> =>
  page.evaluate(() => window.counterpart.recording.entries());
