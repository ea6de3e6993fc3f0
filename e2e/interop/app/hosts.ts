import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { askedFor, connectedGuest, openHost } from '../host-page.js';
import type { OfficialVersion } from '../../../test/interop/official-app.js';
import { startWorld, type World } from '../../support/world.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { eventually, waitUntil } from '../../support/eventually.js';
import type { Guest } from './guest-page.js';
import { openOfficialHost } from './official-host.js';

declare global {
  interface Window {
    /** Only in the guest. */
    guest: Guest;
  }
}

type Params = Record<string, unknown>;

/** A host with one app in it, ours or an official one. */
export interface Host {
  readonly page: Page;
  readonly guest: Frame;
  asked(what: string): Promise<unknown[]>;
  sendInput(args: Params): Promise<void>;
  sendResult(result: Params): Promise<void>;
  cancel(reason: string): Promise<void>;
  setContext(context: Params): Promise<void>;
  listTools(): Promise<unknown>;
  callTool(name: string, args: Params): Promise<unknown>;
  end(): Promise<void>;
}

let browser: Browser;
let world: World;

/** Starts servers and a browser once per test file. */
export const useHosts = (): void => {
  beforeAll(async () => {
    [browser, world] = await Promise.all([openBrowser(), startWorld()]);
  });
  afterAll(async () => {
    await closeContexts();
    await world?.close();
  });
};

/** The origin of every host page here. */
export const hostOrigin = (): string => world.hostOrigin;

/** An app in our own host. */
const openOurs = async (html: string): Promise<Host> => {
  const page = await openHost(browser, world.hostOrigin, {
    html,
    base: world.base,
    hostContext: {
      theme: 'dark',
      styles: {
        variables: { '--color-text-primary': 'rgb(1, 2, 3)' },
        css: { fonts: '@font-face { font-family: x; src: local(x); }' },
      },
    },
  });
  const guest = await connectedGuest(page);
  const snapshot = () => page.evaluate(() => window.counterpart.app.getSnapshot());
  await eventually(async () => (await snapshot()).status).toBe('ready');
  return {
    page,
    guest,
    asked: (what) => askedFor(page, what),
    sendInput: (args) => page.evaluate((given) => window.counterpart.app.sendToolInput(given), args),
    // A tool result, as the tests below write it.
    sendResult: (result) =>
      page.evaluate((given) => window.counterpart.app.sendToolResult(given as never), result),
    cancel: (reason) => page.evaluate((given) => window.counterpart.app.sendToolCancelled(given), reason),
    setContext: (context) =>
      page.evaluate((given) => window.counterpart.app.sendHostContextChanged(given), context),
    listTools: async () => (await snapshot()).appTools?.map(({ tool }) => tool),
    callTool: (name, args) =>
      page.evaluate(([tool, given]) => window.counterpart.app.callAppTool(tool, given), [
        name,
        args,
      ] as const),
    end: () => page.evaluate(() => window.counterpart.app.close()),
  };
};

/** An app in a page of the official bridge, from another origin. */
export const openOfficial = async (version: OfficialVersion, html: string): Promise<Host> => {
  const address = world.servePlain('/guest.html', html);
  const page = await openOfficialHost(browser, world.hostOrigin, version, address);
  const guest = await waitUntil(
    () => page.frames().find((frame) => frame.url() === address),
    (frame) => frame !== undefined,
    { what: 'The frame of the app' },
  );
  if (!guest) throw new Error('The app has no frame.');
  await guest.waitForSelector('body[data-connected]', { state: 'attached' });
  const asked = (what: string): Promise<unknown[]> =>
    page.evaluate(
      (name) => window.officialHost.asked.filter((entry) => entry.what === name).map(({ value }) => value),
      what,
    );
  return {
    page,
    guest,
    asked,
    sendInput: (args) =>
      page.evaluate((given) => window.officialHost.bridge.sendToolInput({ arguments: given }), args),
    sendResult: (result) =>
      page.evaluate((given) => window.officialHost.bridge.sendToolResult(given), result),
    cancel: (reason) =>
      page.evaluate((given) => window.officialHost.bridge.sendToolCancelled({ reason: given }), reason),
    setContext: (context) =>
      page.evaluate((given) => window.officialHost.bridge.setHostContext(given), context),
    listTools: async () => (await page.evaluate(() => window.officialHost.bridge.listTools({}))).tools,
    callTool: (name, args) =>
      page.evaluate(
        ([tool, given]) => window.officialHost.bridge.callTool({ name: tool, arguments: given }),
        [name, args] as const,
      ),
    end: async () => void (await page.evaluate(() => window.officialHost.bridge.teardownResource({}))),
  };
};

/** Every host an app must run in. */
export const hosts: Readonly<Record<string, (html: string) => Promise<Host>>> = {
  'our host': openOurs,
  'the official AppBridge 2.0.4': (html) => openOfficial('2.0.4', html),
  'the official AppBridge 1.7.5': (html) => openOfficial('1.7.5', html),
};
