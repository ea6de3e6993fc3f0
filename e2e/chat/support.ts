import { fileURLToPath } from 'node:url';
import type { AppSnapshot } from '@casement/host';
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startWorld, type World } from '../support/world.js';
import { closeContexts, openBrowser } from '../support/browser.js';
import { addBundle, bundle } from '../support/bundle.js';
import { waitUntil } from '../support/eventually.js';
import { guestIn, receivedBy } from '../support/guest.js';
import { useTab } from '../support/tab.js';
import type { ChatPlan } from './plan.js';

export type { ChatPlan, PlannedTool } from './plan.js';

const from = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const script = { entryPoints: [from('./page.ts')] };

/** How the page around the chat looks, besides the chat itself. */
export interface ChatLook extends BrowserContextOptions {
  readonly theme?: 'light' | 'dark';
}

const usual = { viewport: { width: 1440, height: 900 }, colorScheme: 'light' } as const;

const pageStyle =
  'html, body, #root { height: 100%; margin: 0 } body { font: 15px system-ui; background: Canvas }';

/**
 * Browser and servers for one test file. `open` gives a page with a chat: the built package with its styles, servers
 * in the page, the scripted model, apps in the real sandbox. `errors` is what the last page's console said.
 */
export const useChat = () => {
  // Filled before the first test runs.
  const host = {} as { browser: Browser; world: World; page: Page; errors: string[] };
  const tab = useTab(usual);
  let isTabTaken = false;
  const others: Page[] = [];
  let style = '';
  beforeAll(async () => {
    [host.browser, host.world, style] = await Promise.all([
      openBrowser(),
      startWorld(),
      bundle({ entryPoints: [from('../../packages/react/styles/chat.css')] }),
    ]);
  });
  afterEach(async () => {
    isTabTaken = false;
    await Promise.all(others.splice(0).map((page) => page.context().close()));
  });
  afterAll(async () => {
    await closeContexts();
    await host.world?.close();
  });

  /** The first page of the usual look is the file's tab. */
  const openEmpty = async ({ theme = 'light', ...options }: ChatLook): Promise<Page> => {
    const url = `${host.world.hostOrigin}/`;
    if (!isTabTaken && theme === 'light' && Object.keys(options).length === 0) {
      isTabTaken = true;
      return tab.open(host.browser, url);
    }
    const page = await (
      await host.browser.newContext({ ...usual, colorScheme: theme, ...options })
    ).newPage();
    others.push(page);
    await page.goto(url);
    return page;
  };

  const open = async (plan: ChatPlan = {}, look: ChatLook = {}): Promise<Page> => {
    const { theme = 'light' } = look;
    const page = await openEmpty(look);
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    Object.assign(host, { page, errors });
    await page.addStyleTag({ content: `${pageStyle}\n${style}` });
    await addBundle(page, script);
    await page.evaluate((scheme) => {
      document.documentElement.lang = 'en';
      document.documentElement.style.colorScheme = scheme;
    }, theme);
    await page.evaluate((given) => window.startChat(given), { ...plan, base: host.world.base });
    return page;
  };
  return Object.assign(host, { open });
};

/** Writes a message as the user does; the turn is over when the conversation says so (`settled`). */
export const say = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
};

/** Waits until nothing runs any more. */
export const settled = (page: Page): Promise<unknown> =>
  waitUntil(
    () => page.evaluate(() => window.chat.conversation.getSnapshot().status),
    (status) => status === 'idle' || status === 'failed',
    { what: 'The end of the turn' },
  );

/** What the session of an item's app says now. */
export const snapshotOf = (page: Page, id: string): Promise<AppSnapshot | undefined> =>
  page.evaluate((app) => window.chat.snapshot(app), id);

/** Waits until the app of an item has a status. */
export const appReaches = (page: Page, id: string, status = 'ready'): Promise<unknown> =>
  waitUntil(
    async () => (await snapshotOf(page, id))?.status,
    (now) => now === status,
    { what: `The status ${status} of ${id}` },
  );

/** The document of the app of an item. */
export const guestOf = async (page: Page, id: string): Promise<Frame> => {
  await appReaches(page, id);
  return guestIn(page.locator(`[data-mcp-app-id="${id}"] iframe`));
};

/** The parameters of the messages a guest got so far, by method. */
export const received = async (page: Page, id: string, method: string): Promise<unknown[]> =>
  receivedBy(await guestOf(page, id), method);
