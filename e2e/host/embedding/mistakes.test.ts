import { createHash } from 'node:crypto';
import { createSandboxHandler } from '@casement/sandbox/handler';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { installHost, openPage, recorded, show } from '../support.js';
import { quietApp } from '../../support/guest.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { eventually, waitUntil } from '../../support/eventually.js';
import { listenOn, startProduct, type Listener, type Product } from './support.js';

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await closeContexts();
  await product?.close();
});
afterEach(async () => {
  product.setPageHeaders({});
  product.serve();
  product.requests.length = 0;
  await Promise.all(browser.contexts().map((context) => context.close()));
});

interface Ended {
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly hint: string | undefined;
  readonly ms: number;
}

/** Mounts an app and tells how and after what time it failed. */
const fail = async (
  page: Page | Frame,
  plan: { base?: string; options?: Record<string, unknown> } = {},
): Promise<Ended> => {
  const given = { html: quietApp, base: product.base, ...plan };
  return page.evaluate(async (wish) => {
    const start = performance.now();
    window.showApp(wish);
    const app = window.hostApps.at(-1)?.app;
    const ms = await new Promise<number>((resolve) => {
      app?.subscribe(() => {
        if (app.getSnapshot().status === 'failed') resolve(performance.now() - start);
      });
    });
    const { code, message, hint } = app?.getSnapshot().failure ?? {};
    return { code, message, hint, ms };
  }, given);
};

/** The handler as another release would answer: its pages say another number, under a policy that lets them. */
const serveRelease = (release: string, change: (html: string) => string = (html) => html): Listener => {
  const handler = createSandboxHandler({ base: product.base, hostOrigins: [product.origin] });
  return async (request, response) => {
    const answer = await handler(new Request(`http://${request.headers.host ?? ''}${request.url ?? ''}`));
    const html = change((await answer.text()).replaceAll('0.1.0', release));
    const [, script = ''] = /<script>([^]*)<\/script>/.exec(html) ?? [];
    const hash = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
    const headers = Object.fromEntries(answer.headers);
    const csp = (headers['content-security-policy'] ?? '').replace(
      /(script-src )'sha256-[^']+'/,
      `$1${hash}`,
    );
    response.writeHead(answer.status, { ...headers, 'content-security-policy': csp }).end(html);
  };
};

describe('mistakes of a deployment', () => {
  const codes = new Set<string | undefined>();

  const expectNamed = (ended: Ended, code: string, ...words: string[]): void => {
    expect(ended).toMatchObject({ code });
    for (const word of words) expect(`${ended.message ?? ''} ${ended.hint ?? ''}`).toContain(word);
    expect(ended.ms).toBeLessThan(2_000);
    codes.add(ended.code);
  };

  test('the sandbox is not running', async () => {
    const gone = await listenOn(() => undefined);
    await gone.close();
    const page = await openPage(browser, product.origin);
    const base = `http://apps.product.localhost:${gone.port}`;
    expectNamed(await fail(page, { base }), 'sandbox-unreachable', base.replace('//', '//sandbox.'));
  });

  test('the policy of the page does not let the sandbox be framed', async () => {
    product.setPageHeaders({
      'content-security-policy': "script-src 'self' 'unsafe-inline'; frame-src 'self'",
    });
    const page = await openPage(browser, product.origin);
    const ended = await fail(page);
    expectNamed(ended, 'sandbox-blocked-by-page', 'frame-src', product.base.replace('//', '//sandbox.'));
    expect(product.requests.filter((url) => url.includes('/probe'))).toEqual([]);
  });

  test('the page is not among the host origins', async () => {
    product.serve({ hostOrigins: ['https://elsewhere.example'] });
    // The policy of the guide's page, which may frame the sandbox and may not fetch from it.
    const proxy = product.base.replace('//', '//sandbox.');
    product.setPageHeaders({
      'content-security-policy': `default-src 'self'; script-src 'self' 'unsafe-inline'; frame-src ${proxy}`,
    });
    const page = await openPage(browser, product.origin);
    expectNamed(await fail(page), 'sandbox-host-refused', 'hostOrigins', product.origin);
  });

  test('the base differs between page and handler', async () => {
    product.serve({ base: `http://other.product.localhost:${product.sandboxPort}` });
    const page = await openPage(browser, product.origin);
    expectNamed(await fail(page), 'sandbox-base-differs', 'base');
  });

  test('the base differs by its scheme alone', async () => {
    product.serve({ base: product.base.replace('http:', 'https:') });
    const page = await openPage(browser, product.origin);
    expectNamed(await fail(page), 'sandbox-base-differs', 'scheme');
  });

  test('the page is framed by one that the sandbox does not know', async () => {
    const outer = `http://outer.localhost:${product.pagePort}`;
    const openFramed = async (): Promise<Frame> => {
      const page = await browser.newPage();
      await page.goto(`${outer}/around?${product.origin}/`);
      const frame = await waitUntil(
        () => page.frames().find((one) => one.url().startsWith(product.origin)),
        (one) => one !== undefined,
        { what: 'The framed page' },
      );
      if (!frame) throw new Error('There is no frame.');
      await installHost(frame);
      return frame;
    };
    expectNamed(await fail(await openFramed()), 'sandbox-ancestor-refused', 'hostAncestors', outer);
    product.serve({ hostAncestors: { [product.origin]: [outer] } });
    const frame = await openFramed();
    await frame.evaluate((plan) => window.showApp(plan), { html: quietApp, base: product.base });
    const status = () => frame.evaluate(() => window.hostApps[0]?.app.getSnapshot().status);
    await waitUntil(status, (now) => now === 'ready', { what: 'The app in the framed page' });
  });

  test('the page has an embedder policy and asks for persistent storage', async () => {
    product.setPageHeaders({ 'cross-origin-embedder-policy': 'require-corp' });
    const page = await openPage(browser, product.origin);
    const options = { storage: 'persistent', user: 'user-1' };
    expectNamed(await fail(page, { options }), 'sandbox-embedder-policy', 'Cross-Origin-Embedder-Policy');
  });

  test('the words for developers go to console and recording, users read a sentence that the page may choose', async () => {
    product.serve({ hostOrigins: ['https://elsewhere.example'] });
    const page = await openPage(browser, product.origin);
    const lines: string[] = [];
    page.on('console', (line) => {
      if (line.text().includes('[Casement]')) lines.push(`${line.type()} ${line.text()}`);
    });
    await fail(page);
    const row = () => page.getByRole('alert').textContent();
    await eventually(row).toMatch(/^This app cannot be shown\..*Try again later\./);
    expect(await row()).not.toContain('hostOrigins');
    await eventually(() => lines.join()).toMatch(/^error \[Casement\] sandbox-host-refused: .*hostOrigins/);
    expect(JSON.stringify(await recorded(page, 'lifecycle'))).toContain(
      'hostOrigins of createSandboxHandler',
    );
    await page.evaluate(
      (plan) => {
        const failures = { 'sandbox-host-refused': 'Ruf uns an.' };
        window.showApp({ ...plan, options: { words: { failed: 'Nichts zu sehen.', failures } } });
      },
      { html: quietApp, base: product.base },
    );
    await eventually(() => page.getByRole('alert').nth(1).textContent()).toMatch(
      /^Nichts zu sehen\..*Ruf uns an\./,
    );
  });

  test('the handler tells its log what it refused', async () => {
    const refusals: unknown[] = [];
    product.serve({
      hostOrigins: ['https://elsewhere.example'],
      onRefusal: (refusal) => refusals.push(refusal),
    });
    const page = await openPage(browser, product.origin);
    await fail(page);
    expect(refusals).toContainEqual({
      status: 404,
      reason: 'The sandbox policy names a host page this sandbox does not serve.',
      url: expect.stringContaining('/proxy?v='),
    });
  });

  test('each of them has a code of its own', () => {
    expect(codes.size).toBe(6);
  });
});

describe('a sandbox that is not what it should be', () => {
  test('one that answers garbage is told from one that is not there', async () => {
    product.answer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works!</h1>'),
    );
    const page = await openPage(browser, product.origin);
    const ended = await fail(page);
    expect(ended).toMatchObject({ code: 'sandbox-unknown' });
    expect(ended.ms).toBeLessThan(2_000);
  });

  test('one that refuses to say anything is named at the limit', async () => {
    product.answer(() => undefined);
    const page = await openPage(browser, product.origin);
    const options = { limits: { sandboxMs: 700 } };
    expect(await fail(page, { options })).toMatchObject({ code: 'sandbox-unreachable' });
  });

  test('one that is slow is waited for', async () => {
    const handler = createSandboxHandler({ base: product.base, hostOrigins: [product.origin] });
    product.answer((request, response) => {
      setTimeout(async () => {
        const answer = await handler(new Request(`http://${request.headers.host ?? ''}${request.url ?? ''}`));
        response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
      }, 2_500);
    });
    const page = await openPage(browser, product.origin);
    await show(page, { html: quietApp, base: product.base });
    expect(product.requests.some((url) => url.includes('/probe'))).toBe(false);
  });

  test('one that fails while its probe works is not blamed on a policy the page does not have', async () => {
    const handler = createSandboxHandler({ base: product.base, hostOrigins: [product.origin] });
    product.answer(async (request, response) => {
      if (request.url?.startsWith('/proxy')) return response.writeHead(502).end();
      const answer = await handler(new Request(`http://${request.headers.host ?? ''}${request.url ?? ''}`));
      return response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    });
    const page = await openPage(browser, product.origin);
    const options = { storage: 'persistent', user: 'user-1', limits: { sandboxMs: 1_500 } };
    expect(await fail(page, { options })).toMatchObject({ code: 'sandbox-unreachable' });
    expect(await page.locator('iframe').count()).toBe(0);
  });

  test('one of another release is shown with a finding', async () => {
    product.answer(serveRelease('9.9.9'));
    const page = await openPage(browser, product.origin);
    await show(page, { html: quietApp, base: product.base });
    expect(await recorded(page, 'finding')).toContainEqual(
      expect.objectContaining({ code: 'sandbox-release', message: expect.stringContaining('9.9.9') }),
    );
  });

  test('one of another release that does not understand the page is named so', async () => {
    const other = serveRelease('9.9.9', (html) => html.replace(/verdict="\w+"/, 'verdict="policy-refused"'));
    product.answer((request, response) =>
      request.url?.startsWith('/probe') ? other(request, response) : response.writeHead(404).end(),
    );
    const page = await openPage(browser, product.origin);
    const ended = await fail(page);
    expect(ended).toMatchObject({
      code: 'sandbox-release-differs',
      message: expect.stringContaining('9.9.9'),
    });
  });
});
