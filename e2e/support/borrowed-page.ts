import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** The context of each look that nobody uses, with the page that was in it last: that page keeps its process alive. */
const idle = new Map<string, { readonly context: BrowserContext; readonly parked: Page }>();
const looks = new WeakMap<BrowserContext, string>();

/**
 * Pages that follow each other in one context share a process only where sites need none of their own; elsewhere a
 * context that is used again gives nothing.
 */
const canShare = process.env.CASEMENT_SITE_ISOLATION === 'off';

const takeIdle = async (look: string): Promise<Page | undefined> => {
  const found = idle.get(look);
  idle.delete(look);
  if (!found || found.parked.isClosed() || !found.context.browser()?.isConnected()) return undefined;
  const page = await found.context.newPage();
  await found.parked.close();
  return page;
};

/**
 * A new page of this look in a context that no other page uses and in which nothing is stored. The process of the page
 * before it goes on, and the scripts that it compiled: that saves a third of what a page costs. `returnPage` ends it.
 */
export const borrowPage = async (browser: Browser, options: BrowserContextOptions = {}): Promise<Page> => {
  const look = JSON.stringify(options);
  const again = canShare ? await takeIdle(look) : undefined;
  if (again) return again;
  const context = await browser.newContext(options);
  if (canShare) looks.set(context, look);
  return context.newPage();
};

/** No other test gets the context of this page: what is done to it cannot be taken back. */
export const spoilContext = (page: Page): void => void looks.delete(page.context());

/** Leaves nothing of a page behind but its process, and files of servers that the browser may keep. */
const clear = async (page: Page): Promise<void> => {
  const context = page.context();
  for (const event of ['page', 'request', 'response', 'console', 'dialog'] as const)
    context.removeAllListeners(event);
  await Promise.all([page.goto('about:blank'), context.unrouteAll(), context.clearPermissions()]);
  const session = await context.newCDPSession(page);
  // Cookies too, of every origin.
  await session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' });
};

/**
 * Ends a page that was borrowed, and its context with it when something else is in there: another page, or none any more,
 * as after a test that closed it because of what it had done to it.
 */
export const returnPage = async (page: Page): Promise<void> => {
  const context = page.context();
  const look = looks.get(context);
  const isAlone = !page.isClosed() && context.pages().length === 1;
  if (look === undefined || !isAlone || idle.has(look)) return context.close();
  try {
    await clear(page);
  } catch {
    return context.close();
  }
  idle.set(look, { context, parked: page });
};
