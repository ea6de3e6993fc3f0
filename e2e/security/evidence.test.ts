import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { AppSnapshot } from '@casement/host';
import { evidenceScript } from '@casement/sandbox/evidence';
import { expect, onTestFinished, test } from 'vitest';
import { page, renewPage, useHostPage, world } from '../host/fixture.js';
import { guestOf, recorded, show, type AppPlan } from '../host/support.js';
import { eventually } from '../support/eventually.js';
import { toApp } from '../support/guest.js';

useHostPage();

const showApp = (script: string, plan: Partial<AppPlan> = {}): Promise<number> =>
  show(page, {
    html: toApp(`await bridge.initialize(); ${script}`),
    base: world.base,
    ...plan,
    options: { evidence: 'full', evidenceScript, ...plan.options },
  });

const snapshotOf = async (index = 0): Promise<AppSnapshot> => {
  const snapshot = await page.evaluate((at) => window.hostApps[at]?.app.getSnapshot(), index);
  if (!snapshot) throw new Error('There is no such app.');
  return snapshot;
};

const evidenceOf = async (index = 0) => (await snapshotOf(index)).evidence;

/** Runs in the page: keeps the longest time its thread was not free. */
const watchPauses = (): void => {
  let last = performance.now();
  document.documentElement.dataset.longestPause = '0';
  setInterval(() => {
    const { dataset } = document.documentElement;
    dataset.longestPause = String(Math.max(Number(dataset.longestPause), performance.now() - last));
    last = performance.now();
  }, 20);
};
/** Runs in the page: counts the reports that reach it, before the host cuts them. */
const countReports = (): void => {
  window.hostHeld.reports = 0;
  addEventListener('message', ({ data }: MessageEvent<{ params?: { items?: unknown } } | null>) => {
    const items = data?.params?.items;
    // Put there above.
    if (Array.isArray(items)) window.hostHeld.reports = (window.hostHeld.reports as number) + items.length;
  });
};

const longestPause = () => page.evaluate(() => Number(document.documentElement.dataset.longestPause));

/** The app's own messages still pass: it asks, and the host answers. */
const answers = async (index = 0): Promise<unknown> =>
  (await guestOf(page, index)).evaluate(() =>
    // The guest's bridge put it there.
    (
      globalThis as unknown as { bridge: { request(method: string, params: object): Promise<unknown> } }
    ).bridge.request('ping', {}),
  );

/**
 * A page whose frames have a console that is silent below what the sandbox wraps: a browser that is driven hands each
 * line to its driver, which takes many times as long as what is tested.
 */
const silenceConsole = async (): Promise<void> => {
  await renewPage({ viewport: { width: 900, height: 700 } });
  await page.addInitScript(() => {
    Object.assign(console, { log: () => undefined, warn: () => undefined, error: () => undefined });
  });
};

/** A hundred thousand times, in slices, so that the app's page goes on between them. */
const inSlices = (line: string): string => `
  let n = 0;
  const slice = () => {
    for (const end = n + 1000; n < end; n += 1) { ${line} }
    if (n < 100_000) setTimeout(slice);
  };
  slice();`;

const bytesOf = async (index = 0): Promise<number> => JSON.stringify(await evidenceOf(index)).length;

test('a hundred thousand lines are cut in the app’s own page, and cost it none of its messages', async () => {
  await silenceConsole();
  await page.evaluate(watchPauses);
  await page.evaluate(countReports);
  await showApp(inSlices(`console.log('line ' + n, { n });`));
  await eventually(async () => (await evidenceOf()).left, 50_000).toBeGreaterThan(90_000);
  const { items } = await evidenceOf();
  expect(items.filter(({ kind }) => kind === 'console').length).toBeLessThanOrEqual(500);
  const reports = await page.evaluate(() => window.hostHeld.reports);
  expect(reports).toBeGreaterThan(0);
  // Twenty in each tenth of a second.
  expect(reports).toBeLessThan(3_000);
  expect(await answers()).toMatchObject({ result: {} });
  const { status, dropped } = await snapshotOf();
  expect([status, dropped]).toEqual(['ready', 0]);
  expect(await longestPause()).toBeLessThan(2000);
});

test('a line that comes a hundred thousand times is one line with its number', async () => {
  await silenceConsole();
  await showApp(inSlices(`console.warn('again');`));
  await eventually(async () => {
    const { items } = await evidenceOf();
    const lines = items.filter(({ kind }) => kind === 'console');
    // What the guest reports, as the contract has it.
    const counted = lines.reduce((sum, line) => sum + ('count' in line ? (line.count ?? 1) : 1), 0);
    return [lines.length, counted];
  }, 50_000).toEqual([1, 100_000]);
});

test('an app that throws and logs for ever is told of within bounds, beside one that does not', async () => {
  await silenceConsole();
  await page.evaluate(watchPauses);
  const neighbour = await showApp(`console.log('quiet');`, { server: 'neighbour' });
  await showApp(`
    let n = 0;
    setInterval(() => { for (let at = 0; at < 2000; at += 1) console.error(new Error('no ' + (n += 1))); });
    setInterval(() => { throw new Error('thrown ' + n); });
    setInterval(() => document.body.append(Object.assign(new Image(), { src: 'data:image/png,' + n })));`);
  const loud = 1;
  await eventually(async () => (await evidenceOf(loud)).left).toBeGreaterThan(20_000);
  const { items } = await evidenceOf(loud);
  expect(items.length).toBeLessThanOrEqual(745);
  expect(items.filter(({ kind }) => kind === 'load-failed').length).toBeLessThanOrEqual(100);
  await eventually(async () => (await snapshotOf(loud)).scriptErrors.length).toBe(20);
  expect((await snapshotOf(loud)).dropped).toBe(0);
  expect((await evidenceOf(neighbour)).items.filter(({ kind }) => kind === 'console')).toMatchObject([
    { values: [{ text: 'quiet' }] },
  ]);
  expect(await longestPause()).toBeLessThan(2000);
});

test('getters do not run, and proxies, cycles and huge values are cut', async () => {
  await silenceConsole();
  await showApp(`
    globalThis.ran = [];
    const trap = new Proxy({ a: 1 }, new Proxy({}, { get: (_, name) => (...args) => { globalThis.ran.push(name); return Reflect[name](...args); } }));
    const endless = new Proxy({}, { ownKeys: () => Array.from({ length: 1e5 }, (_, n) => 'k' + n),
      getOwnPropertyDescriptor: () => ({ value: endless, enumerable: true, configurable: true }) });
    const throwing = new Proxy({}, { getPrototypeOf() { throw new Error('trap'); } });
    const { proxy: revoked, revoke } = Proxy.revocable({}, {}); revoke();
    const cycle = { name: 'cycle' }; cycle.self = cycle;
    const odd = { get evil() { globalThis.ran.push('getter'); }, toString() { globalThis.ran.push('toString'); return ''; },
      toJSON() { globalThis.ran.push('toJSON'); }, [Symbol.toPrimitive]() { globalThis.ran.push('toPrimitive'); } };
    const error = new Error('real'); Object.defineProperty(error, 'stack', { get() { globalThis.ran.push('stack'); } });
    for (const value of [trap, endless, throwing, revoked, cycle, odd, error, 'x'.repeat(5_000_000), new Uint8Array(50_000_000),
      Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => ['k' + n, n])), document.createElement('p')]) {
      console.log(value);
      // What one line costs is taken from what the next ones may: each has its own share here.
      await new Promise((done) => setTimeout(done, 150));
    }`);
  await eventually(
    async () => (await evidenceOf()).items.filter(({ kind }) => kind === 'console').length,
  ).toBe(10); // two of the proxies look the same
  expect(await bytesOf()).toBeLessThan(64 * 1024);
  const ran = await (await guestOf(page)).evaluate(() => (globalThis as unknown as { ran: string[] }).ran);
  // What a proxy is asked cannot be kept from it; nothing else of the guest ran.
  expect([...new Set(ran)].sort()).toEqual(['getOwnPropertyDescriptor', 'getPrototypeOf', 'ownKeys']);
  const shown = JSON.stringify((await evidenceOf()).items);
  expect(shown).toContain('"type":"getter"');
  expect(shown).toContain('Uint8Array(50000000)');
  expect(shown).toContain('Error: real');
});

test('forged reports are cut, count for their own app alone and change nothing that the host saw', async () => {
  const neighbour = await showApp(`console.log('quiet');`, { server: 'neighbour' });
  const { session } = await snapshotOf(neighbour);
  await showApp(`
    const forge = (items, more) => parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-evidence',
      params: { items, ...more } }, '*');
    const at = Date.now();
    forge('text'); forge([1, null, [[]]]); forge([{ kind: 'painted', at: 'never' }], { left: -5 });
    forge([{ kind: 'load-failed', at, url: { evil: 1 }, element: 'SCRIPT', session: '${session}', epoch: 99 }]);
    forge([{ kind: 'console', at, level: 'log', values: Array(1e5).fill({ type: 'string', text: 'x'.repeat(9) }) }]);
    forge([{ kind: 'console', at, level: 'log', values: [{ type: 'string', text: 'y'.repeat(10_000_000) }] }]);
    forge([{ kind: 'lifecycle', at, type: 'ready' }, { kind: 'decision', at, allow: true }], { session: '${session}', times: {} });
    for (const name of ['frame-loaded', 'app-health', 'dropped', 'proxy-ready'])
      parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-' + name, params: { sinceLoaderReady: 2, app: true, at: 5 } }, '*');`);
  const forger = 1;
  await eventually(async () => (await evidenceOf(forger)).items).toContainEqual(
    expect.objectContaining({ kind: 'load-failed', url: '', element: 'script' }),
  );
  await eventually(async () =>
    (await recorded(page, 'dropped', forger)).map((raw) => (raw as { reason: string }).reason).sort(),
  ).toEqual(['reserved', 'too-large']);
  const { evidence, status, times, epoch } = await snapshotOf(forger);
  expect(JSON.stringify(evidence).length).toBeLessThan(64 * 1024);
  expect(evidence.items.some(({ kind }) => String(kind) === 'lifecycle')).toBe(false);
  expect([status, epoch]).toEqual(['ready', 1]);
  for (const at of Object.values(times)) expect(at).toBeGreaterThan(Date.now() - 120_000);
  expect((await evidenceOf(neighbour)).items.filter(({ kind }) => kind === 'load-failed')).toEqual([]);
  const said = JSON.stringify(await recorded(page, 'evidence', forger));
  expect(said).not.toContain(session);
});

test('words that an app sends past its proxy, or has a frame of its own send, are nobody’s', async () => {
  await showApp(`
    const speak = (to) => {
      const words = {
        evidence: { items: [{ kind: 'load-failed', at: Date.now(), url: 'https://forged.example/', element: 'script' }] },
        violation: { directive: 'img-src', blockedUri: 'https://forged.example/' },
        'script-error': { message: 'forged' }, 'app-health': { state: 'gone' }, dropped: { reason: 'flood', count: 1e6 },
        'frame-loaded': { sinceLoaderReady: 2, left: true }, 'loader-ready': { at: 0 }, 'proxy-ready': {},
      };
      for (const [name, params] of Object.entries(words))
        to.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-' + name, params }, '*');
    };
    speak(top); speak(parent.parent);
    const inner = document.createElement('iframe');
    inner.srcdoc = '<script>(' + speak + ')(parent.parent); (' + speak + ')(top); parent.postMessage("spoken", "*")</' + 'script>';
    addEventListener('message', ({ data }) => data === 'spoken' && console.log('all was said'));
    document.body.append(inner);`);
  await eventually(async () => JSON.stringify(await evidenceOf())).toContain('all was said');
  const { evidence, violations, scriptErrors, status, epoch, dropped } = await snapshotOf();
  expect(JSON.stringify([evidence, violations, scriptErrors])).not.toContain('forged');
  expect([status, epoch, dropped]).toEqual(['ready', 1, 0]);
  // Neither did the browser's own entries come of it.
  expect(JSON.stringify(await recorded(page, 'evidence'))).not.toContain('forged');
});

test('names that objects have of themselves, cycles and values without end make no report and no other name', async () => {
  await showApp(`
    const forge = (items) => {
      try {
        parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-evidence', params: { items } }, '*');
      } catch { /* Some of it not even the browser takes. */ }
    };
    const at = Date.now();
    const proto = JSON.parse('{"__proto__": {"kind": "painted", "at": 1, "polluted": "yes"}, "constructor": {"prototype": {"polluted": "yes"}}}');
    forge([proto, Object.assign(JSON.parse('{"__proto__": {"polluted": "yes"}}'), { kind: 'load-failed', at, url: 'first', element: '__proto__' })]);
    const member = (name, value) => ({ type: 'object', text: 'O', members: [[name, value]] });
    let deep = { type: 'string', text: 'the end' };
    for (let n = 0; n < 100; n += 1) deep = member('__proto__', deep);
    forge([{ kind: 'console', at, level: 'log', values: [deep, member('constructor', { type: 'string', text: 'second' })] }]);
    let endless = {};
    for (let n = 0; n < 2_000; n += 1) endless = { endless };
    forge([{ kind: 'console', at, level: 'log', values: [endless] }]);
    const cycle = { kind: 'painted', at }; cycle.self = cycle; forge([cycle]);
    forge([{ kind: 'painted', at, size: 10n ** 400n }]);
    forge([{ kind: 'painted', at, status: 'ready', session: 'polluted' }]);
    forge([{ kind: 'load-failed', at, url: 'last', element: 'img', line: 1e300, status: -1, column: 0.5 }]);`);
  await eventually(async () => JSON.stringify(await evidenceOf())).toContain('"last"');
  const { evidence, status } = await snapshotOf();
  expect(status).toBe('ready');
  const loads = evidence.items.filter(({ kind }) => kind === 'load-failed');
  expect(loads).toEqual([
    { at: expect.any(Number), kind: 'load-failed', url: 'first', element: '__proto__' },
    { at: expect.any(Number), kind: 'load-failed', url: 'last', element: 'img' },
  ]);
  for (const painted of evidence.items.filter(({ kind }) => kind === 'painted'))
    expect(Object.keys(painted).sort()).toEqual(['at', 'kind']);
  const text = JSON.stringify(evidence);
  expect(text).toContain('second');
  expect(text).not.toContain('the end');
  expect(text).not.toContain('polluted');
  expect(text.length).toBeLessThan(10_000);
  expect(
    await page.evaluate(() => Reflect.get({}, 'polluted') ?? Reflect.get([], 'polluted')),
  ).toBeUndefined();
});

test('a flood of forged reports that stays just below the limit leaves the page in use and its neighbour alone', async () => {
  await silenceConsole();
  await page.evaluate(watchPauses);
  const neighbour = await showApp(`console.log('quiet');`, { server: 'neighbour' });
  // As many in each message, and as many messages, as pass: some thirty thousand reports a second.
  await showApp(`
    let n = 0;
    const kinds = [
      () => ({ kind: 'console', level: 'log', values: [{ type: 'string', text: 'line ' + n }] }),
      () => ({ kind: 'load-failed', url: 'https://a.example/' + n, element: 'img' }),
      () => ({ kind: 'layout', width: 300, contentWidth: n, contentHeight: n, boxes: n % 2 }),
    ];
    const timer = setInterval(() => {
      const items = Array.from({ length: 150 }, () => ({ ...kinds[(n += 1) % 3](), at: Date.now() }));
      parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-evidence', params: { items } }, '*');
      if (n > 300_000) clearInterval(timer);
    }, 5);`);
  const loud = 1;
  await eventually(async () => (await evidenceOf(loud)).left, 50_000).toBeGreaterThan(250_000);
  const { evidence, status } = await snapshotOf(loud);
  expect(status).toBe('ready');
  expect(evidence.items.length).toBeLessThanOrEqual(745);
  expect(JSON.stringify(evidence).length).toBeLessThan(256 * 1024);
  expect(await answers(neighbour)).toMatchObject({ result: {} });
  expect((await evidenceOf(neighbour)).items.filter(({ kind }) => kind === 'console')).toMatchObject([
    { values: [{ text: 'quiet' }] },
  ]);
  expect(await longestPause()).toBeLessThan(2000);
  // A recording is of all apps: one of them takes only so much of it.
  expect((await recorded(page, 'evidence', loud)).length).toBeLessThanOrEqual(2_100);
});

test('an app that goes on reporting while it says goodbye has nothing told once it is closed', async () => {
  await showApp(`
    const forge = (url) => parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-evidence',
      params: { items: [{ kind: 'load-failed', at: Date.now(), url, element: 'script' }] } }, '*');
    setInterval(() => forge('https://late.example/' + Math.random()), 20);
    addEventListener('pagehide', () => forge('https://after.example/'));`);
  await eventually(async () => JSON.stringify(await evidenceOf())).toContain('late.example');
  await page.evaluate(() => window.hostApps[0]?.app.close());
  await eventually(() => page.locator('iframe').count()).toBe(0);
  const closed = await snapshotOf();
  expect(closed.status).toBe('closed');
  expect(closed.failure).toBeUndefined();
  await showApp(`console.log('next');`);
  await eventually(async () => JSON.stringify(await evidenceOf(1))).toContain('next');
  expect(await snapshotOf()).toEqual(closed);
  expect(JSON.stringify(await evidenceOf(1))).not.toContain('late.example');
});

test('an app that replaces what reports are made with reports less and nothing else, and goes on', async () => {
  await showApp(`
    const broken = () => { throw new Error('replaced'); };
    window.postMessage = broken; JSON.stringify = broken; JSON.parse = broken;
    for (const name of ['push', 'slice', 'map', 'concat', 'forEach', 'join']) Array.prototype[name] = broken;
    for (const name of ['slice', 'split', 'indexOf', 'lastIndexOf', 'match']) String.prototype[name] = broken;
    Array.prototype[Symbol.iterator] = broken;
    Reflect.apply = Reflect.ownKeys = Reflect.getOwnPropertyDescriptor = broken;
    WeakMap.prototype.get = Map.prototype.get = broken;
    Error.prepareStackTrace = () => { globalThis.prepared = true; return 'forged stack'; };
    Function.prototype.call = Function.prototype.apply = Function.prototype.bind = broken;
    window.setTimeout = broken; Date.now = () => 5; performance.now = () => NaN;
    console.log('still here', { list: [1] });
    localStorage.getItem('x');
    console.log('prepared' in globalThis);`);
  await eventually(async () =>
    (await evidenceOf()).items.filter(({ kind }) => kind === 'console'),
  ).toMatchObject([
    { values: [{ text: 'still here' }, { members: [['list', { text: 'Array(1)' }]] }] },
    { values: [{ text: 'false' }] },
  ]);
  expect((await evidenceOf()).items).toContainEqual(
    expect.objectContaining({ kind: 'api', api: 'localStorage' }),
  );
  expect(JSON.stringify(await evidenceOf())).not.toContain('forged stack');
  expect((await snapshotOf()).status).toBe('ready');
});

test('a violation that an app hides from its own page, and covers with others, is in the browser’s report', async () => {
  world.forget();
  await showApp(`
    addEventListener('securitypolicyviolation', (event) => event.stopImmediatePropagation(), true);
    for (let n = 0; n < 400; n += 1) parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-violation',
      params: { directive: 'img-src', blockedUri: 'https://covered.example/' + n } }, '*');
    document.body.append(Object.assign(new Image(), { src: 'https://undeclared.example/pixel.png' }));`);
  await eventually(() => world.reports.map((report) => JSON.stringify(report)).join()).toContain(
    'undeclared.example',
  );
  await eventually(async () => JSON.stringify(await recorded(page, 'violation'))).toContain(
    'undeclared.example',
  );
});

test('nothing that a page reports of itself is in a question', async () => {
  await page.evaluate(() => {
    window.hostHeld.asked = [];
    const { showApp: original } = window;
    window.showApp = (plan) =>
      original({
        ...plan,
        options: {
          ...plan.options,
          onOpenLink: async (request: unknown) => (window.hostHeld.asked as unknown[]).push(request) < 0,
        },
      });
  });
  await showApp(`
    console.error('TRUST-ME'); localStorage.setItem('TRUST-ME', 'TRUST-ME');
    parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-evidence',
      params: { items: [{ kind: 'load-failed', at: Date.now(), url: 'TRUST-ME', element: 'TRUST-ME' }] } }, '*');
    setTimeout(() => bridge.request('ui/open-link', { url: 'https://example.com/' }).catch(() => undefined), 300);`);
  const asked = () => page.evaluate(() => JSON.stringify(window.hostHeld.asked));
  await eventually(asked).toContain('example.com');
  expect(await asked()).not.toContain('TRUST-ME');
  expect(JSON.stringify(await evidenceOf())).toContain('TRUST-ME');
});

test('the app’s frame reads a text for the host where the app may connect, and nowhere else', async () => {
  const other = 'http://127.0.0.1:9';
  await showApp('', {
    ui: { csp: { connectDomains: [world.evil, other] } },
    options: { allowLoopback: true },
  });
  const read = (url: string) =>
    page.evaluate((address) => window.hostApps[0]?.app.fetchFromApp(address), url);
  expect(await read(`${world.evil}/map`)).toEqual({ text: 'hello' });
  expect(await read(`${other}/map`)).toEqual({ refused: expect.stringContaining('fetch') });
  for (const url of ['https://undeclared.example/map', 'file:///etc/passwd', 'data:text/plain,x', 'nonsense'])
    expect(await read(url), url).toEqual({ refused: expect.any(String) });
  expect((await snapshotOf()).violations).toEqual([]);
});

/** Answers with a text that goes on until its asker leaves: as fast as it is taken, or a byte and then nothing. */
const startEndless = async (): Promise<string> => {
  const part = 'x'.repeat(256 * 1024);
  const repeat = function* () {
    for (;;) yield part;
  };
  const server = createServer((request, response) => {
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'application/json' });
    if (request.url === '/slow') response.write('x');
    else Readable.from(repeat()).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // It listens on a port: its address is no name.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test('a text that the app’s frame reads for the host has at most 10 MB and takes at most 10 s', async () => {
  const endless = await startEndless();
  await showApp('', { ui: { csp: { connectDomains: [endless] } }, options: { allowLoopback: true } });
  const read = (path: string) =>
    page.evaluate((address) => window.hostApps[0]?.app.fetchFromApp(address), `${endless}${path}`);
  const [large, slow] = await Promise.all([read('/large'), read('/slow')]);
  expect(large).toEqual({ refused: expect.stringContaining('more than 10 MB') });
  // As a browser says that the time is over.
  expect(slow).toEqual({ refused: expect.stringContaining('TimeoutError') });
  expect((await snapshotOf()).status).toBe('ready');
});
