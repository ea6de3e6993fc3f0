import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { page, useSandbox, world } from './fixture.js';
import { mountApp, mountUndefended, toGuest, waitFor, type Mounted } from './support.js';

useSandbox();

const echoes = `addEventListener('message', ({ data }) => say('heard', data));`;

const countDropped = async (app: Mounted, reason: string): Promise<number> =>
  (await app.sandboxMessages('dropped'))
    .filter((dropped) => dropped['reason'] === reason)
    .reduce((sum, { count }) => sum + Number(count), 0);

verifies(
  ['SANDBOX-003', 'SANDBOX-004', 'SANDBOX-011', 'SANDBOX-012', 'SANDBOX-013', 'S1-39', 'S2-03'],
  'after proxy-ready everything passes both ways unchanged, except what is reserved, and nothing is added',
  async () => {
    const fromApp = [
      { jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: { appInfo: { name: 'x', version: '1' } } },
      { jsonrpc: '2.0', method: 'ui/notifications/initialized' },
      {
        jsonrpc: '2.0',
        id: 'two',
        method: 'tools/call',
        params: { name: 't', arguments: { deep: [1, null, 'ü'] } },
      },
      { jsonrpc: '2.0', id: 7, result: { ok: true } },
      { jsonrpc: '2.0', id: 8, error: { code: -32601, message: 'no' } },
      { jsonrpc: '2.0', id: { odd: true }, method: 'odd/but-the-host-judges', params: [1] },
    ];
    const toApp = [
      { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2026-01-26' } },
      { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { city: 'Bern' } } },
      { jsonrpc: '2.0', id: 9, method: 'ping' },
    ];
    const sends = `for (const message of ${JSON.stringify(fromApp)}) parent.postMessage(message, '*');`;
    const app = await mountApp(page, world, toGuest(echoes + sends));
    await waitFor(app, 'ran');
    const relayed = (await app.messages()).filter(
      ({ method }) => method !== 'notifications/message' && !method?.startsWith('ui/notifications/sandbox-'),
    );
    expect(relayed).toEqual(fromApp);
    expect((await app.messages())[0]).toMatchObject({ method: 'ui/notifications/sandbox-proxy-ready' });
    expect(await app.sandboxMessages('proxy-ready')).toHaveLength(1);
    await app.post({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-anything', params: {} });
    await app.post({
      jsonrpc: '2.0',
      method: 'ui/notifications/sandbox-resource-ready',
      params: { html: 'second' },
    });
    for (const message of toApp) await app.post(message);
    await eventually(() => app.said('heard')).toEqual(toApp);
    // The proxy's own words are notifications only.
    const own = (await app.messages()).filter(({ method }) =>
      method?.startsWith('ui/notifications/sandbox-'),
    );
    expect(own.every((message) => !('id' in message))).toBe(true);
  },
);

test('the HTML is accepted once: a second one changes nothing, not even after a reload', async () => {
  const first = `say('html', 'first'); addEventListener('message', ({ data }) => data.method === 'reload' && location.reload());`;
  const app = await mountApp(page, world, toGuest(first));
  await waitFor(app, 'html');
  const html = toGuest(`say('html', 'second');`);
  await app.post({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params: { html } });
  await app.post({ jsonrpc: '2.0', method: 'reload' });
  await eventually(() => app.said('html')).toEqual(['first', 'first']);
});

verifies('S1-36', 'a guest cannot speak as the proxy', async () => {
  const forged = ['proxy-ready', 'resource-ready', 'frame-loaded', 'dropped', 'anything'];
  const sends = forged.map(
    (name) => `send({ method: 'ui/notifications/sandbox-${name}', params: { html: 'x' } });`,
  );
  const app = await mountApp(page, world, toGuest(sends.join('')));
  await waitFor(app, 'ran');
  await eventually(() => countDropped(app, 'reserved')).toBe(forged.length);
  expect(await app.sandboxMessages('proxy-ready')).toHaveLength(1);
  expect(await app.sandboxMessages('resource-ready')).toEqual([]);
  expect(await app.sandboxMessages('anything')).toEqual([]);
});

test('forged violations are cut down to short text and numbers', async () => {
  const params = `{ directive: 'x'.repeat(9999), blockedUri: { evil: true }, line: 1e300, column: 3, html: '<b>', sample: [1] }`;
  const app = await mountApp(
    page,
    world,
    toGuest(`send({ method: 'ui/notifications/sandbox-violation', params: ${params} });`),
  );
  await eventually(() => app.sandboxMessages('violation')).toEqual([
    { directive: 'x'.repeat(2000), blockedUri: '', column: 3 },
  ]);
});

verifies(
  ['S1-34', 'S4-15'],
  'what is not a JSON-RPC object is dropped and counted, whatever it is made of',
  async () => {
    const odd = `
    const cyclic = { jsonrpc: '2.0', method: 'cyclic' }; cyclic.self = cyclic;
    let deep = {}; for (let depth = 0; depth < 20000; depth += 1) deep = { deep };
    const post = (data, transfer) => { try { parent.postMessage(data, '*', transfer); } catch (error) { say('uncloneable', error.name); } };
    post(cyclic); post('text'); post(null); post(7n); post([{ jsonrpc: '2.0', method: 'batch' }]);
    post(new Map([['jsonrpc', '2.0']])); post(new Blob(['x'])); post({ method: 'no-version' }); post({ jsonrpc: '2.0' });
    post({ jsonrpc: '1.0', method: 'old' }); post(new ArrayBuffer(8));
    post({ jsonrpc: '2.0', method: 'deep', params: deep });`;
    const app = await mountApp(page, world, toGuest(odd));
    await waitFor(app, 'ran');
    await eventually(() => countDropped(app, 'not-json-rpc')).toBeGreaterThanOrEqual(10);
    // A cycle's text has no end, so it is over any limit.
    await eventually(() => countDropped(app, 'too-large')).toBe(1);
    const names = (await app.messages()).map(({ method }) => String(method));
    expect(names.filter((name) => /cyclic|batch|no-version|old/.test(name))).toEqual([]);
  },
);

test('prototype keys arrive as plain data', async () => {
  const sends = `parent.postMessage(JSON.parse('{"jsonrpc":"2.0","method":"tools/call","id":1,"params":{"__proto__":{"polluted":true}}}'), '*');`;
  const app = await mountApp(page, world, toGuest(sends));
  await waitFor(app, 'ran');
  expect(await page.evaluate('({}).polluted')).toBeUndefined();
});

test('a transferred port is closed and its message still passes as data', async () => {
  const sends = `const { port1, port2 } = new MessageChannel(); port1.onmessage = () => say('port', 'open');
    addEventListener('message', ({ data }) => data.method === 'go'
      ? parent.postMessage({ jsonrpc: '2.0', method: 'with-port' }, '*', [port2]) : say('heard', data.method));`;
  const app = await mountApp(page, world, toGuest(sends));
  await waitFor(app, 'ran');
  const proxy = (await app.guest()).parentFrame();
  // Keeps the port as the proxy got it, to see afterwards whether it still leads to the guest.
  await proxy?.evaluate(() => {
    addEventListener('message', ({ ports }) => {
      if (ports[0]) Object.assign(window, { keptPort: ports[0] });
    });
  });
  await app.post({ jsonrpc: '2.0', method: 'go' });
  await eventually(async () => (await app.messages()).map(({ method }) => method)).toContain('with-port');
  await proxy?.evaluate('keptPort.postMessage("x")');
  await app.post({ jsonrpc: '2.0', method: 'later' });
  await waitFor(app, 'heard');
  expect(await app.said('port')).toEqual([]);
});

test('a message over 4 MB is dropped and its request answered with an error', async () => {
  const sends = `${echoes} send({ id: 'big', method: 'tools/call', params: { text: 'x'.repeat(5 * 1024 * 1024) } });
    send({ id: 'fits', method: 'tools/call', params: { text: 'x'.repeat(3 * 1024 * 1024) } });`;
  const app = await mountApp(page, world, toGuest(sends));
  await eventually(() => app.said('heard')).toMatchObject([{ id: 'big', error: { code: -32000 } }]);
  await eventually(() => countDropped(app, 'too-large')).toBe(1);
  const ids = (await app.messages()).map(({ id }) => id);
  expect(ids).toContain('fits');
  expect(ids).not.toContain('big');
});

test('10,000 messages in a burst are throttled, counted and answered, and the app goes on afterwards', async () => {
  const floods = `let errors = 0;
    addEventListener('message', ({ data }) => { if (data.error) errors += 1; if (data.method === 'ping') { say('errors', errors); send({ id: data.id, result: {} }); } });
    for (let n = 0; n < 10000; n += 1) send({ id: 'flood-' + n, method: 'tools/call', params: { name: 'x' } });
    setInterval(() => say('after', true), 500);`;
  const app = await mountApp(page, world, toGuest(floods));
  await waitFor(app, 'after');
  const passed = (await app.messages()).filter(({ id }) => String(id).startsWith('flood-')).length;
  await eventually(async () => passed + (await countDropped(app, 'flood'))).toBeGreaterThanOrEqual(10_000);
  expect(passed).toBeGreaterThan(500);
  // The bucket refills while a slow machine still sends: most is cut, how much depends on how long that takes.
  expect(passed).toBeLessThan(8000);
  expect((await app.sandboxMessages('dropped')).length).toBeLessThan(100);
  await app.post({ jsonrpc: '2.0', id: 'alive', method: 'ping' });
  const errors = Number(await waitFor(app, 'errors'));
  expect(errors).toBeGreaterThan(0);
  expect(errors).toBeLessThan(1000);
});

test('an honest burst and a steady stream pass whole', async () => {
  const sends = `for (let n = 0; n < 300; n += 1) say('burst', n);
    let sent = 0; const timer = setInterval(() => { say('steady', sent); if ((sent += 1) === 120) { clearInterval(timer); say('sent', true); } }, 8);`;
  const app = await mountApp(page, world, toGuest(sends));
  await waitFor(app, 'sent');
  expect(await app.said('burst')).toHaveLength(300);
  expect(await app.said('steady')).toHaveLength(120);
  expect(await app.sandboxMessages('dropped')).toEqual([]);
});

verifies('S1-79', 'another window cannot speak to the proxy', async () => {
  const app = await mountApp(page, world, toGuest(echoes));
  await waitFor(app, 'ran');
  const intruder = `<script>
    for (const target of [top.frames[0], top.frames[0].frames[0]]) {
      target.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: { forged: true } }, '*');
      target.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params: { html: 'forged' } }, '*');
    }
    document.title = 'sent';
  </script>`;
  await mountUndefended(page, world.servePlain('/intruder', intruder));
  await eventually(() => page.frames().at(-1)?.title()).toBe('sent');
  await app.post({ jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: {} });
  await eventually(async () => JSON.stringify(await app.said('heard'))).toContain('tool-input');
  // A sibling can post to the guest's own window (its bridge checks the source); nothing came through the proxy.
  const heard = await app.said('heard');
  expect(heard.filter((data) => JSON.stringify(data).includes('forged'))).toHaveLength(2);
  expect(await app.sandboxMessages('loader-ready')).toHaveLength(1);
});

verifies('S1-81', 'the guest fills its frame, borderless and transparent', async () => {
  const app = await mountApp(
    page,
    world,
    toGuest(`say('size', [innerWidth, innerHeight]);`, '<!doctype html><style>body{margin:0}</style>'),
  );
  expect(await waitFor(app, 'size')).toEqual([400, 200]);
  await page.evaluate(() => (document.body.style.cssText = 'margin:0;background:rgb(1, 200, 3)'));
  const shot = await page.screenshot({ clip: { x: 380, y: 180, width: 1, height: 1 }, type: 'png' });
  const outside = await page.screenshot({ clip: { x: 420, y: 180, width: 1, height: 1 }, type: 'png' });
  expect(shot.equals(outside)).toBe(true);
});
