import { createSandboxPolicy } from '@casement/sandbox';
import { toSandboxAddress } from '@casement/sandbox/address';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { browser, page, useSandbox, world } from './fixture.js';
import {
  mountApp,
  mountAt,
  mountUndefended,
  openHost,
  toGuest,
  waitFor,
  waitForFrame,
  type Mounted,
} from './support.js';
import { FRAME_SANDBOX } from '../../packages/sandbox/src/policy/frame-permissions.js';

useSandbox();

/** Tries everything that would give a guest the realm, storage or address bar of someone else. */
const reaches = `
const attempt = (name, reach) => { try { reach(); say('reached', name); } catch (error) { say('refused', name); } };
const attempts = {
  'parent.document': () => parent.document.body,
  'parent.eval': () => parent.eval('1'),
  'parent.fetch': () => parent.fetch,
  'parent.localStorage': () => parent.localStorage,
  'parent.location.href': () => parent.location.href,
  'top.document': () => top.document.body,
  'top.localStorage': () => top.localStorage,
};
for (const [name, reach] of Object.entries(attempts)) attempt(name, reach);
say('frameElement', String(window.frameElement));
say('cookie', document.cookie);
say('done', true);`;

test('control: a guest on the host’s own origin reaches the host', async () => {
  await page.evaluate((html) => {
    const frame = document.createElement('iframe');
    frame.srcdoc = html;
    document.body.append(frame);
  }, `<script>parent.document.title = 'taken'; parent.reachedStorage = typeof parent.localStorage;</script>`);
  await eventually(() => page.title()).toBe('taken');
});

verifies(
  ['SANDBOX-001', 'SANDBOX-002', 'S4-17'],
  'host and proxy have other origins than the guest and are out of its reach',
  async () => {
    await page.evaluate(() => (document.cookie = 'host=secret'));
    const app = await mountApp(page, world, toGuest(reaches));
    await waitFor(app, 'done');
    expect(await app.said('reached')).toEqual([]);
    expect(await app.said('refused')).toHaveLength(7);
    expect(await app.said('frameElement')).toEqual(['null']);
    expect(await page.evaluate(() => document.cookie)).toContain('host=secret');
    expect(JSON.stringify(await app.said('cookie'))).not.toContain('secret');
    const guest = await app.guest();
    const proxy = guest.parentFrame();
    const [hostOrigin, proxyOrigin, guestOrigin] = await Promise.all([
      page.evaluate('origin'),
      proxy?.evaluate('origin'),
      guest.evaluate('origin'),
    ]);
    expect(new Set([hostOrigin, proxyOrigin, guestOrigin]).size).toBe(3);
    expect(proxyOrigin).toBe(new URL(world.base).origin.replace('//', '//sandbox.'));
    expect(guestOrigin).toBe(app.appOrigin);
  },
);

test('nothing secret is in any address the guest can read', async () => {
  const app = await mountApp(
    page,
    world,
    toGuest(`say('where', [location.href, document.referrer, document.baseURI]);`),
  );
  const [href, referrer] = (await waitFor(app, 'where')) as string[];
  expect(referrer).toBe('');
  const policy = JSON.parse(
    Buffer.from(new URL(String(href)).searchParams.get('p') ?? '', 'base64url').toString(),
  );
  expect(Object.keys(policy).sort()).toEqual([
    'assets',
    'baseUri',
    'connect',
    'declared',
    'family',
    'frame',
    'host',
    'permissions',
    'resource',
    'server',
    'v',
  ]);
});

const writes = `localStorage.secret = 'kept'; document.cookie = 'plain=1'; new BroadcastChannel('c').onmessage = () => say('heard', true);
  const opening = indexedDB.open('secrets'); opening.onsuccess = () => caches.open('secrets').then(() => say('wrote', true));`;
const reads = `new BroadcastChannel('c').postMessage('hello');
  Promise.all([indexedDB.databases(), caches.keys()]).then(([bases, keys]) => say('read', [localStorage.secret ?? null, bases.length, keys.length]));`;

verifies('S4-16', 'apps cannot read each other’s storage; two instances of one app can', async () => {
  const writer = await mountApp(page, world, toGuest(writes), { resourceUri: 'ui://test/one' });
  await waitFor(writer, 'wrote');
  const other = await mountApp(page, world, toGuest(reads), { resourceUri: 'ui://test/two' });
  expect(await waitFor(other, 'read')).toEqual([null, 0, 0]);
  const sameAppOtherPolicy = await mountApp(page, world, toGuest(reads), {
    resourceUri: 'ui://test/one',
    csp: { connectDomains: ['https://api.example'] },
  });
  expect(await waitFor(sameAppOtherPolicy, 'read')).toEqual([null, 0, 0]);
  expect(await writer.said('heard')).toEqual([]);
  // Control: the same policy is the same principal.
  const twin = await mountApp(page, world, toGuest(reads), { resourceUri: 'ui://test/one' });
  expect(await waitFor(twin, 'read')).toEqual(['kept', 1, 1]);
  await waitFor(writer, 'heard');
});

test('a guest cannot script a sibling app', async () => {
  await waitFor(await mountApp(page, world, toGuest(''), { resourceUri: 'ui://test/one' }), 'ran');
  const steal = `try { say('sibling', top.frames[0].frames[0].document.body.innerHTML); } catch (error) { say('sibling', error.name); }`;
  const twin = await mountApp(page, world, toGuest(steal), { resourceUri: 'ui://test/one' });
  // Control: the same policy may, which shows that the path leads there.
  expect(await waitFor(twin, 'sibling')).toContain('guest');
  const other = await mountApp(page, world, toGuest(steal), { resourceUri: 'ui://test/two' });
  expect(await waitFor(other, 'sibling')).toBe('SecurityError');
});

verifies('SANDBOX-010', 'only granted features are delegated, through both frames', async () => {
  const four = ['camera', 'clipboard-write', 'geolocation', 'microphone'];
  const never = ['clipboard-read', 'fullscreen', 'local-network-access', 'loopback-network', 'midi', 'usb'];
  const asks = `say('allowed', document.featurePolicy.allowedFeatures().filter((name) => ${JSON.stringify([...four, ...never])}.includes(name)).sort());`;
  const plain = await mountApp(page, world, toGuest(asks));
  expect(await waitFor(plain, 'allowed')).toEqual([]);
  const granted = await mountApp(page, world, toGuest(asks), { permissions: ['camera', 'clipboardWrite'] });
  expect(await waitFor(granted, 'allowed')).toEqual(['camera', 'clipboard-write']);
});

/** Mounts what must give no app, and waits until its document is there. */
const mountBlank = async (proxyUrl: string): Promise<Mounted> => {
  const mounted = await mountAt(page, {
    proxyUrl,
    proxyOrigin: new URL(proxyUrl).origin,
    appOrigin: '',
    html: toGuest(''),
  });
  await waitForFrame(page, proxyUrl);
  return mounted;
};

test('an edited policy, a foreign label and the reserved label give no app', async () => {
  const common = {
    hostOrigin: world.hostOrigin,
    base: world.base,
    server: 'c2VydmVy',
    family: 'mcp-apps',
  } as const;
  const [one, two] = await Promise.all(
    ['ui://test/one', 'ui://test/two'].map((resourceUri) =>
      toSandboxAddress(world.base, createSandboxPolicy({ ...common, resourceUri }).policy),
    ),
  );
  if (!one || !two) throw new Error('Two addresses were asked for.');
  const attempts = [
    `${one.proxyUrl.slice(0, -2)}AA`,
    `${one.appOrigin}/app${new URL(two.appUrl).search}`,
    `${one.proxyOrigin}/app${new URL(one.appUrl).search}`,
    `${one.appOrigin}/proxy${new URL(one.appUrl).search}`,
  ];
  const blank: Mounted[] = [];
  for (const attempt of attempts) blank.push(await mountBlank(attempt));
  // Control: the unedited address does give an app; the others, begun before, would have spoken by then.
  await waitFor(await mountAt(page, { ...one, html: toGuest('') }), 'ran');
  for (const mounted of blank) expect(await mounted.messages()).toEqual([]);
});

test('a stranger’s page cannot use the sandbox, and opened alone it does nothing', async () => {
  const { policy } = createSandboxPolicy({
    hostOrigin: world.hostOrigin,
    base: world.base,
    server: 'c2VydmVy',
    resourceUri: 'ui://test/app',
    family: 'mcp-apps',
  });
  const { proxyUrl, appUrl } = await toSandboxAddress(world.base, policy);
  const stranger = await openHost(browser, world.localhostOrigin);
  for (const url of [proxyUrl, appUrl]) {
    await mountUndefended(stranger, url);
    await eventually(() => stranger.frames().at(-1)?.url()).toBe('chrome-error://chromewebdata/');
    const alone = await browser.newPage();
    await alone.goto(url);
    expect(await alone.locator('iframe').count()).toBe(0);
    expect(await alone.locator('body').innerText()).toBe('');
    await alone.close();
  }
  await stranger.close();
});

const busy = `setTimeout(() => { const end = Date.now() + 3000; while (Date.now() < end); say('done', true); }, 200);`;

/** The longest pause between two turns of the host page's clock, until `done`. */
const measureStall = async (done: () => Promise<unknown>): Promise<number> => {
  await page.evaluate(() => {
    let last = performance.now();
    const state = Object.assign(window, { longestStall: 0 });
    setInterval(() => {
      const now = performance.now();
      state.longestStall = Math.max(state.longestStall, now - last);
      last = now;
    }, 10);
  });
  await done();
  return Number(await page.evaluate('longestStall'));
};

test('a busy app does not freeze the host page', async () => {
  const app = await mountApp(page, world, toGuest(busy));
  await waitFor(app, 'ran');
  const stall = await measureStall(() => waitFor(app, 'done'));
  expect(stall).toBeLessThan(1500);
  // Control: in the host's own process it does.
  const frozen = await measureStall(async () => {
    await mountUndefended(
      page,
      world.servePlain('/busy', toGuest(busy)).replace('localhost', 'casement.localhost'),
    );
    await eventually(() => page.evaluate('longestStall')).toBeGreaterThan(2500);
  });
  expect(frozen).toBeGreaterThan(2500);
});

const submits = `document.body.innerHTML = '<form><button></button></form>';
  document.forms[0].addEventListener('submit', (event) => { event.preventDefault(); say('submitted', true); });
  document.querySelector('button').click(); say('clicked', true);`;

verifies(
  ['S1-29', 'S1-76', 'S1-77'],
  'a host can take forms away from an app, in both its frames',
  async () => {
    const usual = await mountApp(page, world, toGuest(submits));
    await waitFor(usual, 'submitted');
    const narrow = await mountApp(page, world, toGuest(submits), { without: ['allow-forms'] });
    await waitFor(narrow, 'clicked');
    await waitFor(narrow, 'ran');
    expect(await narrow.said('submitted')).toEqual([]);
  },
);

verifies(
  ['SANDBOX-014', 'S1-77'],
  'a sandbox string that comes with the HTML widens nothing and takes nothing away',
  async () => {
    const asks = 'allow-scripts allow-popups allow-top-navigation allow-modals allow-downloads';
    const { policy } = createSandboxPolicy({
      hostOrigin: world.hostOrigin,
      base: world.base,
      server: 'c2VydmVy',
      resourceUri: 'ui://test/app',
      family: 'mcp-apps',
    });
    const opens = `${submits} say('opened', String(window.open('about:blank'))); say('origin', origin);`;
    const address = await toSandboxAddress(world.base, policy);
    const app = await mountAt(page, { ...address, html: toGuest(opens), params: { sandbox: asks } });
    expect(await waitFor(app, 'opened')).toBe('null');
    expect(await waitFor(app, 'origin')).toBe(address.appOrigin);
    await waitFor(app, 'submitted');
    const proxy = (await app.guest()).parentFrame();
    expect(await proxy?.locator('iframe').getAttribute('sandbox')).toBe(FRAME_SANDBOX);
  },
);
