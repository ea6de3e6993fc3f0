import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { guestOf, openPage, recorded, show } from '../support.js';
import { quietApp, toApp } from '../../support/guest.js';
import { closeContexts, launchProfile, openBrowser } from '../../support/browser.js';
import { startProduct, type Product } from './support.js';

const storing = toApp(`
  const attempt = (run) => { try { return run(); } catch (error) { return error.name; } };
  globalThis.stored = {
    before: attempt(() => localStorage.getItem('word') ?? 'nothing'),
    local: attempt(() => { localStorage.setItem('word', 'kept'); return localStorage.getItem('word'); }),
    session: attempt(() => { sessionStorage.setItem('word', 'kept'); return sessionStorage.getItem('word'); }),
    database: await new Promise((resolve) => {
      try {
        const opening = indexedDB.open('words');
        opening.onsuccess = () => resolve('open');
        opening.onerror = () => resolve(opening.error.name);
      } catch (error) { resolve(error.name); }
    }),
  };
  await bridge.initialize();`);

const works = { local: 'kept', session: 'kept', database: 'open' };

const storedIn = async (page: Page, index = 0): Promise<unknown> =>
  (await guestOf(page, index)).evaluate(() => Reflect.get(globalThis, 'stored'));

const snapshotOf = (page: Page, index = 0) =>
  page.evaluate((at) => {
    const { storage, findings = [], failure } = window.hostApps[at]?.app.getSnapshot() ?? {};
    return { storage, failure, codes: findings.map(({ code }) => code) };
  }, index);

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await closeContexts();
  await product?.close();
});
afterEach(() => {
  product.setPageHeaders({});
  product.serve();
});

describe('storage of apps', () => {
  test('an app stores for as long as the page is there, and in no page after it', async () => {
    const context = await browser.newContext();
    const open = async (): Promise<Page> => {
      const page = await openPage(browser, product.origin, {}, context);
      await show(page, { html: storing, base: product.base });
      return page;
    };
    const first = await open();
    expect(await first.locator('iframe').getAttribute('credentialless')).toBe('');
    expect(await storedIn(first)).toEqual({ ...works, before: 'nothing' });
    await show(first, { html: storing, base: product.base });
    expect(await storedIn(first, 1)).toMatchObject({ before: 'kept' });
    expect(await snapshotOf(first)).toMatchObject({
      storage: { wanted: 'page', inForce: 'page' },
      codes: [],
    });
    expect(await recorded(first, 'lifecycle')).toContainEqual(
      expect.objectContaining({ storage: { wanted: 'page', inForce: 'page' } }),
    );
    await first.close();
    const second = await open();
    expect(await storedIn(second)).toMatchObject({ before: 'nothing' });
    await context.close();
  });

  test('persistent storage outlasts the page, for the same user alone', async () => {
    const context = await browser.newContext();
    const open = async (user: string): Promise<Page> => {
      const page = await openPage(browser, product.origin, {}, context);
      const options = { storage: 'persistent', user };
      await show(page, { html: storing, base: product.base, options });
      return page;
    };
    const first = await open('user-1');
    expect(await first.locator('iframe').getAttribute('credentialless')).toBeNull();
    expect(await snapshotOf(first)).toMatchObject({
      storage: { wanted: 'persistent', inForce: 'persistent' },
    });
    expect(await recorded(first, 'lifecycle')).toContainEqual(
      expect.objectContaining({ storage: { wanted: 'persistent', inForce: 'persistent' } }),
    );
    await first.close();
    expect(await storedIn(await open('user-1'))).toMatchObject({ before: 'kept' });
    expect(await storedIn(await open('user-2'))).toMatchObject({ before: 'nothing' });
    await context.close();
  });

  test('persistent storage without a user is refused', async () => {
    const page = await openPage(browser, product.origin);
    await show(page, { html: quietApp, base: product.base, options: { storage: 'persistent' } }, 'failed');
    const { failure } = await snapshotOf(page);
    expect(failure).toMatchObject({ code: 'storage-user-missing', hint: expect.stringContaining('`user`') });
    await page.close();
  });

  test('an app that writes 60 cookies leaves the cookies of the product as they were', async () => {
    const writing = toApp(`
      const domain = location.hostname.split('.').slice(-2).join('.');
      for (let i = 0; i < 60; i += 1) document.cookie = 'c' + i + '=' + 'x'.repeat(3000) + ';domain=' + domain;
      await bridge.initialize();`);
    const open = async (options: Record<string, unknown>): Promise<string> => {
      const context = await browser.newContext();
      await context.addCookies([{ name: 'session', value: 'mine', domain: '.product.localhost', path: '/' }]);
      const page = await openPage(browser, product.origin, {}, context);
      await show(page, { html: writing, base: product.base, options });
      const seen = await page.evaluate(async () => {
        const response = await fetch('/cookies');
        return response.ok ? response.text() : `refused with ${response.status}`;
      });
      await context.close();
      return seen;
    };
    expect(await open({})).toBe('session=mine');
    // What happens without the attribute, which persistent storage leaves out.
    expect(await open({ storage: 'persistent', user: 'user-1' })).not.toBe('session=mine');
  });

  test('a page under COEP require-corp shows an app', async () => {
    product.setPageHeaders({
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-opener-policy': 'same-origin',
    });
    const page = await openPage(browser, product.origin);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    await show(page, { html: storing, base: product.base });
    expect(await storedIn(page)).toMatchObject(works);
    await page.close();
  });

  test('without credentialless frames the app is shown and its lasting storage is a finding', async () => {
    const page = await openPage(browser, product.origin);
    await page.evaluate(() => Reflect.deleteProperty(HTMLIFrameElement.prototype, 'credentialless'));
    await show(page, { html: quietApp, base: product.base });
    expect(await snapshotOf(page)).toMatchObject({
      storage: { wanted: 'page', inForce: 'persistent' },
      codes: ['storage-lasts'],
    });
    await page.close();
  });
});

describe('where third-party cookies are blocked', () => {
  let folder: string;
  let blocking: BrowserContext;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'casement-profile-'));
    await mkdir(join(folder, 'Default'));
    const profile = { cookie_controls_mode: 1, block_third_party_cookies: true };
    await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify({ profile }));
    blocking = await launchProfile(folder);
  });
  afterAll(async () => {
    await blocking?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('storage works in the guide’s set-up, a sandbox on the site of the page', async () => {
    const page = await openPage(browser, product.origin, {}, blocking);
    await show(page, { html: storing, base: product.base });
    expect(await storedIn(page)).toMatchObject(works);
    expect(await snapshotOf(page)).toMatchObject({ storage: { inForce: 'page' }, codes: [] });
    await page.close();
  });

  test('a sandbox on another site has no storage, and that is a finding', async () => {
    product.serve({ base: product.otherSite });
    const page = await openPage(browser, product.origin, {}, blocking);
    await show(page, { html: storing, base: product.otherSite });
    expect(await storedIn(page)).toMatchObject({ local: 'SecurityError', session: 'SecurityError' });
    expect(await snapshotOf(page)).toMatchObject({
      storage: { wanted: 'page', inForce: 'none' },
      codes: ['storage-blocked'],
    });
    await page.close();
  });
});
