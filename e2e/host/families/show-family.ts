import type { MountAppOptions, SessionOptions } from '@casement/host';
import type { CallToolResult, Tool } from '@casement/protocol';
import type { Page } from 'playwright-core';
import { page, world } from '../fixture.js';
import { guestOf, reaches } from '../support.js';

/** What a test says about an app of any family; everything survives the way into the page. */
export interface FamilyPlan {
  readonly html?: string;
  readonly mimeType?: string;
  /** `_meta` of the tool that is called. */
  readonly toolMeta?: Record<string, unknown>;
  /** `_meta` of the content item. */
  readonly resourceMeta?: Record<string, unknown>;
  /** Further tools of the server; each answers with its name and its arguments. */
  readonly tools?: readonly Tool[];
  readonly toolInput?: Record<string, unknown>;
  readonly toolResult?: CallToolResult;
  /** Hooks the embedder has; each call of one is in the log. */
  readonly hooks?: readonly (keyof SessionOptions)[];
  /** What hooks that are asked say. */
  readonly says?: boolean;
  /** Shows the dialogs it asks for. */
  readonly dialogs?: true;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** What the page around the apps was told or asked, in order. */
interface LogEntry {
  readonly name: string;
  readonly value: unknown;
}

declare global {
  interface Window {
    familyLog: LogEntry[];
    showFamily(plan: FamilyPlan, base: string): void;
  }
}

const install = (): void => {
  window.familyLog = [];
  window.showFamily = (plan, base) => {
    const uri = 'ui://family/app';
    const log = (name: string, value: unknown): void => void window.familyLog.push({ name, value });
    const tool: Tool = {
      name: 'show',
      inputSchema: { type: 'object' },
      _meta: plan.toolMeta ?? { 'openai/outputTemplate': uri },
    };
    const asked = ['onOpenLink', 'onMessage', 'onExternalUrl'];
    const toHook = (name: string) => (value: unknown) => {
      log(name, value);
      return asked.includes(name) ? Promise.resolve(plan.says ?? true) : undefined;
    };
    const container = document.body.appendChild(document.createElement('section'));
    const recording = window.hostModule.createRecording({ writer: 'page' });
    const options: MountAppOptions = {
      server: {
        name: 'families',
        identity: 'test-families',
        listTools: async () => [tool, ...(plan.tools ?? [])],
        callTool: async ({ name, arguments: args }) => {
          log('callTool', { name, args });
          return { content: [{ type: 'text', text: name }], structuredContent: { name, args } };
        },
        readResource: async ({ uri: asks }) => {
          log('readResource', asks);
          return {
            contents: [
              {
                uri: asks,
                mimeType: plan.mimeType ?? 'text/html+skybridge',
                text: plan.html ?? '<p>widget</p>',
                ...(plan.resourceMeta ? { _meta: plan.resourceMeta } : {}),
              },
            ],
          };
        },
        listResources: async () => [],
        subscribe: () => () => undefined,
      },
      tool,
      sandbox: { base },
      recording,
      ...(plan.toolInput ? { toolInput: plan.toolInput } : {}),
      ...Object.fromEntries((plan.hooks ?? []).map((name) => [name, toHook(name)])),
      openLink: (url: string) => log('opened', url),
      ...plan.options,
    };
    const onModal: SessionOptions['onModal'] = (request) => {
      const place = { opener: app, place: container, mounted: options, className: 'dialog' };
      const { app: shown } = window.hostModule.openAppDialog(request, place);
      if (plan.toolResult) shown.sendToolResult(plan.toolResult);
    };
    const app = window.hostModule.mountApp(container, { ...options, ...(plan.dialogs ? { onModal } : {}) });
    if (plan.toolResult) app.sendToolResult(plan.toolResult);
    window.hostApps.push({ app, container, recording });
  };
};

/** Mounts an app and waits until it is ready, or whatever else is expected. */
export const showFamily = async (plan: FamilyPlan, status = 'ready'): Promise<number> => {
  if (!(await page.evaluate(() => 'showFamily' in window))) await page.evaluate(install);
  await page.evaluate(([given, base]) => window.showFamily(given, base), [plan, world.base] as const);
  const index = await page.evaluate(() => window.hostApps.length - 1);
  await reaches(page, status, index);
  return index;
};

/** What one hook or the server was told, oldest first. */
export const logged = (name: string): Promise<unknown[]> =>
  page.evaluate(
    (wanted) => window.familyLog.filter((entry) => entry.name === wanted).map(({ value }) => value),
    name,
  );

/** What the session shows now. */
export const snapshotOf = (index = 0) => page.evaluate((at) => window.hostApps[at]?.app.getSnapshot(), index);

/** Runs a function body in the app's own document, once its document is there; the value comes back as JSON. */
export const inApp = async (script: string, index = 0, on: Page = page): Promise<unknown> => {
  const frame = await guestOf(on, index);
  await frame.waitForFunction(() => document.readyState === 'complete' && document.body !== null);
  return frame.evaluate(`(async () => { ${script} })()`);
};
