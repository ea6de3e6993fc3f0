import { describe, test, type TestContext } from 'vitest';
import { eventuallyIn } from '../support/eventually.js';
import { openOwnPage, useSandboxServers, variants, world } from './fixture.js';
import { mountApp, toGuest, waitFor, type Mounted } from './support.js';

// Guest code that speaks for its loader, to be watched no more. Each test waits for silence on a page of its own.
useSandboxServers();

/** Hangs without taking a processor: in a request that is never answered, for which the thread waits. */
const toHang = (origin: string): string => `const hang = () => {
  const request = new XMLHttpRequest();
  request.open('GET', '${origin}/wait/forever', false);
  request.send();
};`;

/** Tells of every port that comes, and gives it to a worker, which answers beats whatever the page does. */
const catchesPorts = `
const answering = 'onmessage = ({ ports: [port] }) => { port.onmessage = () => port.postMessage("here"); }';
const worker = new Worker(URL.createObjectURL(new Blob([answering], { type: 'text/javascript' })));
addEventListener('message', ({ ports }) => {
  if (ports.length === 0) return;
  say('caught', ports.length);
  worker.postMessage('take', [...ports]);
  if (self.origin !== 'null' && localStorage.hangs) setTimeout(hang, 100);
}, true);
const sayReady = () => send({ method: 'ui/notifications/sandbox-loader-ready', params: { at: 0, pass: name } });
const loop = () => { for (;;); };
if (self.origin !== 'null' && localStorage.ended) setTimeout(hang);`;

const obey = (attack: string): string =>
  toGuest(
    `${toHang(world.evil)} ${catchesPorts} addEventListener('message', ({ data }) => { if (data.method === 'attack') { ${attack} } });`,
  );

const states = async (app: Mounted): Promise<unknown[]> =>
  (await app.sandboxMessages('app-health')).map(({ state }) => state);

/** Each would end the watch over the guest, or get hold of it, before the guest hangs. */
const attacks: Readonly<Record<string, string>> = {
  'says that it is the loader and hangs once it was believed':
    "localStorage.hangs = 'yes'; sayReady(); addEventListener('pagehide', () => { localStorage.ended = 'yes'; });",
  'pretends that its document goes away':
    "dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false })); hang();",
  'loads again by writing itself, says that it is the loader and hangs':
    "document.open(); document.write('again'); document.close(); sayReady(); hang();",
};
const busyAttacks: Readonly<Record<string, string>> = {
  'says that it is the loader and hangs at once': 'sayReady(); loop();',
  // A document that goes away may wait for no request.
  'hangs while its document goes away': "addEventListener('pagehide', loop); location.reload();",
};

const isCalledSilent = async (attack: string, context: TestContext): Promise<void> => {
  const { expect } = context;
  const csp = { connectDomains: [world.evil] };
  const app = await mountApp(await openOwnPage(context), world, obey(attack), { csp });
  await waitFor(app, 'ran');
  await app.post({ jsonrpc: '2.0', method: 'attack' });
  await eventuallyIn(context)(() => states(app)).toEqual(['silent']);
  expect(await app.said('caught')).toEqual([]);
};

describe.concurrent('sec-B5 a guest', () => {
  // One after the other: each takes a processor, which the others need to be judged in time.
  test.sequential.for(Object.entries(busyAttacks))(
    'that %s is called silent all the same, and gets no port',
    ([, attack], context) => isCalledSilent(attack, context),
  );

  test.for(Object.entries(attacks))(
    'that %s is called silent all the same, and gets no port',
    ([, attack], context) => isCalledSilent(attack, context),
  );

  test('of an older family cannot catch what its loader listens with', async (context) => {
    const page = await openOwnPage(context);
    // The loader of this family listens again whenever the document writes itself anew.
    const attack = `const caught = [];
      window.addEventListener = (type, listener) => { if (type === 'pagehide') caught.push(listener); };
      document.open(); document.write('again'); document.close();
      for (const listener of caught) listener({ isTrusted: true });
      hang();`;
    const script = `${toHang(world.evil)} ${catchesPorts} addEventListener('load', () => setTimeout(() => { ${attack} }));`;
    const csp = { connectDomains: [world.evil] };
    const app = await mountApp(page, world, toGuest(script), { family: 'mcp-ui', csp });
    await eventuallyIn(context)(() => states(app)).toEqual(['silent']);
  });

  test.for(Object.entries(variants))(
    'that says it is the loader again and again is only loaded again, %s',
    async ([, mount], context) => {
      const { expect } = context;
      const eventually = eventuallyIn(context);
      const app = await mount(obey('sayReady(); sayReady(); sayReady();'), {}, await openOwnPage(context));
      for (const count of [2, 3]) {
        await waitFor(app, 'ran');
        await app.post({ jsonrpc: '2.0', method: 'attack' });
        await eventually(() => app.said('ran')).toHaveLength(count);
      }
      expect(await app.said('caught')).toEqual([]);
      expect(await app.sandboxMessages('loader-ready')).toHaveLength(3);
      expect(await states(app)).toEqual([]);
    },
  );
});

test('an app finds neither the word its loader is known by nor a trace of it', async (context) => {
  const { expect } = context;
  const app = await mountApp(
    await openOwnPage(context),
    world,
    toGuest(`say('name', name); say('hash', location.hash);`),
  );
  await waitFor(app, 'ran');
  expect(await app.said('name')).toEqual(['']);
  expect(await app.said('hash')).toEqual(['']);
});
