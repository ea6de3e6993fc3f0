import { describe, expect, test, vi } from 'vitest';
import { holdTime, portOf, send, start, type Answer } from '../gateway.test-support.js';

/** What browsers send when somebody opens an address in a tab. */
const visit = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const chromium = {
  ...visit,
  'sec-ch-ua': '"Not)A;Brand";v="8", "Chromium";v="138", "Google Chrome";v="138"',
};
const toFirefox = (version: number) => ({
  ...visit,
  'user-agent': `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`,
});
const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';

/** A gateway whose links were not opened yet. */
const startFresh = async () => {
  let lost = 0;
  const gateway = await start({ onLostLink: () => (lost += 1) });
  const port = portOf(gateway);
  const open = (headers: Record<string, string>, query = '', method = 'GET'): Promise<Answer> =>
    send(port, `/open${query}`, { method, headers });
  return {
    gateway,
    port,
    open,
    lost: () => lost,
    /** Whether this visit is sent to the page's own name. */
    isSent: async (headers: Record<string, string>) =>
      (await open(headers)).headers.location === `http://casement.localhost:${port}/`,
    /** A browser comes under the page's own name. */
    come: (headers: Record<string, string> = chromium) =>
      send(port, '/', { headers: { host: `casement.localhost:${port}`, ...headers } }),
  };
};

describe('a link', () => {
  test('sends a browser that resolves the page’s own name there, for this one time', async () => {
    for (const headers of [chromium, toFirefox(90), toFirefox(145)]) {
      const { port, open } = await startFresh();
      const { status, headers: answered, body } = await open(headers, '?view=chat&x=%0d%0aSet-Cookie:a');
      expect(status).toBe(307);
      expect(answered.location).toBe(`http://casement.localhost:${port}/?view=chat&x=%0d%0aSet-Cookie:a`);
      expect(answered['cache-control']).toBe('no-store');
      expect(answered['set-cookie']).toBeUndefined();
      expect(body).toBe('');
    }
  });

  const others: Record<string, Record<string, string>> = {
    'a program': {},
    Safari: { ...visit, 'user-agent': safari },
    'Safari that says it is a Chrome': {
      ...visit,
      'user-agent':
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/138.0.0.0 Safari/537.36',
    },
    'an old Firefox': toFirefox(83),
    'Firefox on a telephone of Apple’s': {
      ...visit,
      'user-agent':
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 FxiOS/138.0 Mobile/15E148 Safari/605.1.15',
    },
    'a frame': { ...chromium, 'sec-fetch-dest': 'iframe' },
    'a picture': { ...chromium, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    'a page that is loaded in advance': { ...chromium, 'sec-purpose': 'prefetch;prerender' },
  };
  test.each(Object.entries(others))(
    'leads %s to the page under the name it asked for',
    async (_name, headers) => {
      const { open, isSent } = await startFresh();
      const { status, headers: answered } = await open(headers, '?server=a');
      expect([status, answered.location]).toEqual([307, '/?server=a']);
      // It was no visit that somebody is waited for after.
      expect(await isSent(chromium)).toBe(true);
    },
  );

  test('leads to the page under every other name of it', async () => {
    const { port, open } = await startFresh();
    for (const name of ['casement.localhost', '127.0.0.1', '[::1]']) {
      const { headers } = await open({ ...chromium, host: `${name}:${port}` });
      expect([name, headers.location]).toEqual([name, '/']);
    }
  });

  test('is a link by its path alone, and never leads elsewhere', async () => {
    const { port, open } = await startFresh();
    for (const path of [
      '//evil.test/open',
      '/open/',
      '/open//evil.test',
      '/open/..//evil.test',
      '/OPEN',
      '/%6fpen',
    ]) {
      const { status, headers } = await send(port, path, { headers: chromium });
      expect([path, status, headers.location]).toEqual([path, 404, undefined]);
    }
    expect((await open({ ...chromium, host: 'evil.test' })).status).toBe(403);
    expect((await open({ ...chromium, origin: 'null' })).status).toBe(403);
    expect((await open({ ...chromium, 'content-type': 'application/json' }, '', 'POST')).status).toBe(404);
    const head = await open(chromium, '', 'HEAD');
    expect([head.status, head.headers.location]).toEqual([307, '/']);
    // The page itself is where it was, and so is what only looks like it.
    for (const path of ['/', '/index.html'])
      expect((await send(port, path, { headers: chromium })).status).toBe(200);
    const absolute = await open(chromium, '?//evil.test');
    expect(absolute.headers.location).toBe(`http://casement.localhost:${port}/?//evil.test`);
  });
});

describe('a browser that was sent to the page’s own name', () => {
  test('and does not come is not sent again, and its owner hears of it once', async () => {
    const { isSent, lost } = await startFresh();
    holdTime();
    expect(await isSent(chromium)).toBe(true);
    expect(await isSent(chromium)).toBe(false);
    expect(await isSent(toFirefox(145))).toBe(false);
    expect(lost()).toBe(0);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(lost()).toBe(1);
    expect(await isSent(chromium)).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lost()).toBe(1);
  });

  test('and comes shows that the name resolves: the next is sent, too', async () => {
    const { isSent, come, lost } = await startFresh();
    holdTime();
    for (let round = 0; round < 3; round += 1) {
      expect(await isSent(chromium)).toBe(true);
      expect((await come()).status).toBe(200);
    }
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lost()).toBe(0);
    // One that came late is as good.
    expect(await isSent(chromium)).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lost()).toBe(1);
    await come();
    expect(await isSent(chromium)).toBe(true);
  });

  test('has not come by what is no visit of it', async () => {
    const { gateway, port, isSent, come } = await startFresh();
    expect(await isSent(chromium)).toBe(true);
    // A page that is open polls, a page elsewhere has a picture or a frame, something is loaded in advance.
    await come({});
    await come({ ...chromium, 'sec-fetch-dest': 'iframe' });
    await come({ ...chromium, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' });
    await come({ ...chromium, 'sec-purpose': 'prefetch' });
    await come({ ...chromium, host: `localhost:${port}` });
    await send(port, '/api/servers', {
      headers: {
        host: `casement.localhost:${port}`,
        authorization: `Bearer ${gateway.token}`,
        'sec-fetch-mode': 'cors',
        'sec-fetch-dest': 'empty',
      },
    });
    expect(await isSent(chromium)).toBe(false);
    await come();
    expect(await isSent(chromium)).toBe(true);
  });
});
