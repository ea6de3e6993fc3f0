import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { borrowPage, returnPage, spoilContext } from '../support/borrowed-page.js';
import { openBrowser } from '../support/browser.js';
import { useHostServers, world } from './fixture.js';

useHostServers();

const look = { viewport: { width: 640, height: 480 }, colorScheme: 'dark' } as const;

const borrow = async (): Promise<Page> => {
  const page = await borrowPage(await openBrowser(), look);
  onTestFinished(() => page.close());
  await page.goto(`${world.hostOrigin}/`);
  return page;
};

/** Leaves a trace wherever a page can. */
const leaveTraces = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    localStorage.setItem('trace', 'left');
    sessionStorage.setItem('trace', 'left');
    document.cookie = 'trace=left; max-age=600';
    await (await caches.open('trace')).put('/trace', new Response('left'));
    await new Promise<void>((resolve, reject) => {
      const opening = indexedDB.open('trace');
      opening.onsuccess = () => resolve();
      opening.onerror = () => reject(opening.error);
    });
  });

const readTraces = (page: Page): Promise<unknown> =>
  page.evaluate(async () => ({
    local: localStorage.length,
    session: sessionStorage.length,
    cookies: document.cookie,
    caches: await caches.keys(),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    history: history.length,
  }));

test('a page that is borrowed has its look, and finds nothing of the page before it in its context', async () => {
  const first = await borrow();
  const untouched = await readTraces(first);
  await leaveTraces(first);
  expect(await readTraces(first)).not.toEqual(untouched);
  await first.context().grantPermissions(['geolocation']);
  await first.route('**/*', (route) => route.abort());
  await first.context().route('**/*', (route) => route.abort());
  await first.setViewportSize({ width: 300, height: 300 });
  await first.emulateMedia({ colorScheme: 'light' });
  await returnPage(first);

  const second = await borrow();
  expect(second.context()).toBe(first.context());
  expect(second.context().pages()).toEqual([second]);
  expect(await readTraces(second)).toEqual(untouched);
  const seen = () => [innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches];
  expect(await second.evaluate(seen)).toEqual([640, 480, true]);
  const permission = () => navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state);
  expect(await second.evaluate(permission)).not.toBe('granted');
  await returnPage(second);
});

test('two that are borrowed at a time share nothing', async () => {
  const one = await borrow();
  const other = await borrow();
  await leaveTraces(one);
  expect(other.context()).not.toBe(one.context());
  expect(await other.evaluate(() => localStorage.length)).toBe(0);
});

test('a context with more than its page, or with one that was spoiled or closed, is nobody’s any more', async () => {
  for (const spoil of [
    (page: Page) => page.context().newPage(),
    (page: Page) => page.close(),
    async (page: Page) => spoilContext(page),
  ]) {
    const first = await borrow();
    await spoil(first);
    await returnPage(first);
    expect((await openBrowser()).contexts()).not.toContain(first.context());
    const second = await borrow();
    expect(second.context()).not.toBe(first.context());
    await second.context().close();
  }
});
