import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { startCasement } from '../support/casement.js';
import { eventually } from '../support/eventually.js';
import { createLink, createPageAddress } from '../support/link.js';
import { fixtureServer } from '../support/server-commands.js';
import { toDeepLink, toStage } from '../support/stage.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

const server = 'fixture';

useCasement({ [server]: fixtureServer() });

const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true });
const isUsable = (page: Page) => run(page).isEnabled();
const notice = (page: Page) => page.locator('body').innerText();

/** Opens a page in a context of its own and notes what it asks for. */
const openPage = async (
  from: Browser,
): Promise<{ page: Page; context: BrowserContext; asked: Request[] }> => {
  const context = await from.newContext();
  const page = await context.newPage();
  const asked: Request[] = [];
  page.on('request', (request) => asked.push(request));
  return { page, context, asked };
};

const addressOf = (request: Request): URL => new URL(request.url());
/** What the page itself asked for, its frames left out, on its way to its document. */
const documentsOf = (asked: readonly Request[]): string[] =>
  asked
    .filter((request) => request.isNavigationRequest() && !request.frame().parentFrame())
    .map(addressOf)
    .map(({ hostname, pathname }) => `${hostname}${pathname}`);
const isScript = (request: Request): boolean => addressOf(request).pathname.endsWith('.js');
const isFirstScript = (request: Request): boolean =>
  /^\/assets\/main-.*\.js$/.test(addressOf(request).pathname);

describe('the start of the page', () => {
  test('a link leads to one document, under the page’s own name, and six requests are enough for the first control', async () => {
    const { page, context, asked } = await openPage(browser);
    const shown: string[] = [];
    page.on('framenavigated', (frame) => shown.push(frame.url()));
    const allowed: string[] = [];
    // Whatever comes after the sixth is never answered; where a link leads is not asked about here.
    await context.route('**', async (route) => {
      if (allowed.length >= 5) return;
      const { hostname, pathname } = addressOf(route.request());
      allowed.push(`${hostname}${pathname.replace(/-[\w-]{8}\./, '.')}`);
      await route.continue();
    });
    const link = await createLink(casement);
    await page.goto(link);
    await eventually(() => isUsable(page)).toBe(true);
    // The code went along; it is taken out of the address without another document.
    expect(shown[0]).toBe(link.replace('localhost', 'casement.localhost').replace('/open', '/'));
    expect(documentsOf(asked)).toEqual(['localhost/open', 'casement.localhost/']);
    expect(allowed[0]).toBe('localhost/open');
    expect(allowed.slice(1, 4).toSorted()).toEqual([
      'casement.localhost/api/access',
      'casement.localhost/assets/main.js',
      'casement.localhost/assets/react.js',
    ]);
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });

  test('a link runs what its fragment asks for, and shows what its query asks for', async () => {
    const { page, context } = await openPage(browser);
    const fragment = new URLSearchParams({ server, tool: 'well-behaved', run: '1' });
    const link = `${await createLink(casement)}&${fragment}`.replace('#', '?tab=security#');
    await page.goto(link);
    await toStage(page).reaches('ready');
    expect(page.url()).toContain('tab=security');
    expect(page.url()).not.toMatch(/code=|run=|open/);
    expect(new URL(page.url()).hostname).toBe('casement.localhost');
    await context.close();
  });

  test('six requests are enough for a page that has to move', async () => {
    const { page, context } = await openPage(browser);
    const allowed: string[] = [];
    // Whatever comes after the sixth is never answered.
    await context.route('**', async (route) => {
      if (allowed.length >= 6) return;
      const { hostname, pathname } = addressOf(route.request());
      allowed.push(`${hostname}${pathname.replace(/-[\w-]{8}\./, '.')}`);
      await route.continue();
    });
    await page.goto(await createPageAddress(casement));
    await eventually(() => isUsable(page)).toBe(true);
    expect(allowed.slice(0, 3)).toEqual([
      'localhost/',
      'sandbox.casement.localhost/probe',
      'casement.localhost/',
    ]);
    expect(allowed.slice(3, 5).toSorted()).toEqual([
      'casement.localhost/api/access',
      'casement.localhost/assets/main.js',
    ]);
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });

  test('the application is loaded once, under the name it runs under, and nothing that the first screen does not use', async () => {
    const { page, context, asked } = await openPage(browser);
    await page.goto(await createLink(casement));
    await eventually(() => isUsable(page)).toBe(true);
    expect(asked.filter(isFirstScript).map((request) => addressOf(request).hostname)).toEqual([
      'casement.localhost',
    ]);
    const isLate = (request: Request): boolean =>
      /(chat|model|security|state|markdown|session)-/.test(request.url());
    expect(
      asked
        .filter(isScript)
        .filter(isLate)
        .map((request) => request.url()),
    ).toEqual([]);
    // What a tab needs comes when it is opened.
    await page.getByRole('tab', { name: 'State' }).click();
    await eventually(() => asked.filter(isLate).length).toBeGreaterThan(0);
    await eventually(() =>
      page.getByRole('tabpanel').getByRole('heading', { level: 3 }).count(),
    ).toBeGreaterThan(0);
    await context.close();
  });

  test('what nobody uses first, and what makes an app ready, is asked for when the first frame has the Run button in it', async () => {
    const { page, context } = await openPage(browser);
    await page.addInitScript(() => {
      const isRun = ({ textContent }: Element) => textContent === 'Run';
      const look = (): void => {
        if ([...document.querySelectorAll('button')].some(isRun)) performance.mark('drawn');
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(toDeepLink(await createLink(casement), { server, tool: 'well-behaved' }));
    const late = /\/(inspect-panel|declared-findings|ready-app)-/;
    const read = () =>
      page.evaluate(() => ({
        drawn: performance.getEntriesByName('drawn')[0]?.startTime,
        scripts: performance.getEntriesByType('resource').map(({ name, startTime }) => ({ name, startTime })),
      }));
    const readLate = async () => (await read()).scripts.filter(({ name }) => late.test(name));
    await eventually(async () => (await readLate()).length).toBe(3);
    const { drawn = Infinity } = await read();
    for (const { name, startTime } of await readLate())
      expect([name, startTime > drawn]).toEqual([name, true]);
    await context.close();
  });

  test('what is loaded late is there: every tab, and the chat with an answer in it', async () => {
    const { page, context } = await openPage(browser);
    const missing: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) missing.push(response.url());
    });
    await page.goto(await createLink(casement));
    await eventually(() => isUsable(page)).toBe(true);
    for (const name of ['State', 'Security', 'Model']) {
      await page.getByRole('tab', { name }).click();
      await eventually(() => page.getByRole('tabpanel').getByRole('heading').count()).toBeGreaterThan(0);
    }
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    const chat = page.getByRole('region', { name: 'Chat', exact: true });
    await chat.getByRole('textbox', { name: 'Message', exact: true }).fill('hello');
    await chat.getByRole('button', { name: 'Send', exact: true }).click();
    await eventually(() => chat.innerText()).toContain('This is the scripted model');
    expect(missing).toEqual([]);
    await context.close();
  });

  test('documents and scripts come compressed', async () => {
    const { page, context, asked } = await openPage(browser);
    await page.goto(await createLink(casement));
    await eventually(() => isUsable(page)).toBe(true);
    const kinds = ['document', 'script'];
    const own = asked.filter(
      (request) => kinds.includes(request.resourceType()) && request.url().startsWith('http'),
    );
    expect(own.length).toBeGreaterThan(2);
    for (const request of own) {
      const response = await request.response();
      const [encoding, length] = await Promise.all(
        ['content-encoding', 'content-length'].map((name) => response?.headerValue(name)),
      );
      // A line of code does not get smaller.
      const isLine = length !== null && Number(length) < 100;
      expect([request.url(), encoding]).toEqual([request.url(), isLine ? null : 'br']);
    }
    await context.close();
  });

  test('a script that somebody gets into the document does not run', async () => {
    const { page, context } = await openPage(browser);
    await page.goto(await createLink(casement));
    await eventually(() => isUsable(page)).toBe(true);
    const isRun = await page.evaluate(() => {
      const script = document.createElement('script');
      try {
        script.append('globalThis.isBroken = true');
      } catch {
        return false;
      }
      document.head.append(script);
      return 'isBroken' in globalThis;
    });
    expect(isRun).toBe(false);
    await context.close();
  });

  test('a numeric address leads to the same page', async () => {
    const { page, context, asked } = await openPage(browser);
    const link = await createLink(casement, '127.0.0.1');
    await page.goto(toDeepLink(link, { server, tool: 'well-behaved', run: true }));
    await toStage(page).reaches('ready');
    expect(new URL(page.url()).hostname).toBe('casement.localhost');
    expect(asked.filter(isFirstScript)).toHaveLength(1);
    await context.close();
  });

  test('without access it moves all the same, and says what is missing', async () => {
    const { page, context } = await openPage(browser);
    await page.goto(`http://localhost:${casement.port}/?server=${server}&tool=well-behaved&run=1`);
    await eventually(() => notice(page)).toContain('This page has no token');
    expect(new URL(page.url()).hostname).toBe('casement.localhost');
    expect(await toStage(page).status()).toBe('idle');
    await context.close();
  });

  test('sec-B12 a wrong token is not passed on, and the page says so', async () => {
    const { page, context } = await openPage(browser);
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(frame.url()));
    await page.goto(
      `http://localhost:${casement.port}/?server=${server}&tool=well-behaved&run=1#token=${'0'.repeat(43)}`,
    );
    await eventually(() => notice(page)).toContain('The gateway does not know this tab');
    expect(page.url()).not.toContain('token=');
    expect(visited.filter((url) => url.includes('0'.repeat(43)))).toHaveLength(1);
    expect(await toStage(page).status()).toBe('idle');
    // A good link, pasted into that tab, changes the fragment alone.
    await page.goto(`${page.url()}${new URL(await createLink(casement)).hash}`);
    await eventually(() => isUsable(page)).toBe(true);
    expect(new URL(page.url()).hostname).toBe('casement.localhost');
    await context.close();
  });

  test('sec-B12 a tab that had to stay at localhost moves later with its key, and runs nothing', async () => {
    const { page, context } = await openPage(browser);
    await context.route('**/probe', (route) => route.abort());
    await page.goto(await createPageAddress(casement));
    await eventually(() => isUsable(page)).toBe(true);
    expect(new URL(page.url()).hostname).toBe('localhost');
    await context.unrouteAll();
    await page.goto(`http://localhost:${casement.port}/?server=${server}&tool=well-behaved&run=1`);
    await eventually(() => new URL(page.url()).hostname).toBe('casement.localhost');
    await eventually(() => toStage(page).tool.inputValue()).toBe('well-behaved');
    await eventually(() => isUsable(page)).toBe(true);
    expect(await toStage(page).status()).toBe('idle');
    expect(page.url()).not.toMatch(/code=|run=/);
    await context.close();
  });
});

describe('in a browser that does not resolve names below localhost', () => {
  let plain: Browser;
  beforeAll(async () => {
    plain = await openBrowser({ subdomains: false });
  });

  test.each(['localhost', '127.0.0.1'])(
    'the page is loaded once at localhost from a link to %s',
    async (host) => {
      const { page, context, asked } = await openPage(plain);
      const address = await createPageAddress(casement, host);
      await page.goto(toDeepLink(address, { server, tool: 'well-behaved', run: true }));
      const stage = toStage(page);
      await stage.reaches('ready');
      expect(new URL(page.url()).hostname).toBe('localhost');
      expect(page.url()).not.toContain('code=');
      expect((await stage.snapshot())?.fallback?.kind).toBe('opaque');
      expect(asked.filter(isFirstScript).map((request) => addressOf(request).hostname)).toEqual([
        'localhost',
      ]);
      // A reload asks with the key of the tab and stays where it is.
      await page.reload();
      await eventually(() => stage.tool.inputValue()).toBe('well-behaved');
      expect(new URL(page.url()).hostname).toBe('localhost');
      await context.close();
    },
  );

  test('a link fails once at most: opened again it leads to the page at localhost, with its code still good', async () => {
    const own = await startCasement(['--', ...fixtureServer()]);
    onTestFinished(async () => void (await own.stop()));
    const { page, context } = await openPage(plain);
    const link = toDeepLink(await createLink(own), { tool: 'well-behaved', run: true });
    await expect(page.goto(link)).rejects.toThrow(/ERR_NAME_NOT_RESOLVED/);
    await eventually(() => own.stderr()).toMatch(/open the link again: the page then stays at localhost/);
    const stage = toStage(page);
    for (const again of [link, toDeepLink(await createLink(own), { tool: 'well-behaved', run: true })]) {
      await page.goto(again);
      await stage.reaches('ready');
      expect(new URL(page.url()).hostname).toBe('localhost');
      expect((await stage.snapshot())?.fallback?.kind).toBe('opaque');
    }
    // Whoever does resolve the name comes there by itself, and shows that it does.
    const other = await openPage(browser);
    const hosts = async () => {
      await other.page.goto(await createLink(own));
      await eventually(() => new URL(other.page.url()).hostname).toBe('casement.localhost');
      await eventually(() => isUsable(other.page)).toBe(true);
      return documentsOf(other.asked.splice(0));
    };
    expect(await hosts()).toEqual(['localhost/open', 'localhost/', 'casement.localhost/']);
    expect(await hosts()).toEqual(['localhost/open', 'casement.localhost/']);
    expect(own.stderr().match(/open the link again/g)).toHaveLength(1);
    await other.context.close();
    await context.close();
  });
});
