import type { Frame, Page } from 'playwright-core';
import { describe, test, type TestContext } from 'vitest';
import { eventuallyIn } from '../support/eventually.js';
import { openOwnPage, useSandboxServers, variants, world } from './fixture.js';
import { mountApp, mountOpaque, toGuest, waitFor, type Mounted } from './support.js';

// Silence takes seconds to be sure of. The tests wait for it side by side, each on a page of its own.
useSandboxServers();

const obeys = `addEventListener('message', ({ data }) => {
  if (data.method === 'work') { const end = Date.now() + data.params.ms; while (Date.now() < end); say('worked', true); }
  if (data.method === 'wait') {
    const request = new XMLHttpRequest();
    request.open('GET', data.params.url, false);
    request.send();
    say('worked', true);
  }
  if (data.method === 'reload') location.reload();
  if (data.method === 'leave') location = 'data:text/html,left';
  if (data.method === 'ping') send({ id: data.id, result: {} });
});`;

const states = async (app: Mounted): Promise<unknown[]> =>
  (await app.sandboxMessages('app-health')).map(({ state }) => state);

const ways = Object.entries(variants);
/** Longer than an app needs to be called silent, and than a witness needs. */
const ms = 11_000;

describe.concurrent('an app whose thread', () => {
  const isCalledSilent = async (app: Mounted, order: object, context: TestContext): Promise<void> => {
    const { expect } = context;
    const eventually = eventuallyIn(context);
    await waitFor(app, 'ran');
    await app.post({ jsonrpc: '2.0', ...order });
    await eventually(() => states(app)).toEqual(['silent']);
    expect(await app.said('worked')).toEqual([]);
    await waitFor(app, 'worked', 30_000);
    // It was never called gone.
    await eventually(() => states(app)).toEqual(['silent', 'alive']);
    await app.post({ jsonrpc: '2.0', id: 'after', method: 'ping' });
    await eventually(async () => (await app.messages()).map(({ id }) => id)).toContain('after');
  };

  test('is busy is called silent, and alive once it answers again', async (context) => {
    const app = await mountApp(await openOwnPage(context), world, toGuest(obeys));
    await isCalledSilent(app, { method: 'work', params: { ms } }, context);
  });

  // The others wait for a request: that many busy apps would take the processors they need to be judged in time.
  test.for(ways)(
    'waits is called silent, and alive once it answers again, %s',
    async ([, mount], context) => {
      const csp = { connectDomains: [world.evil] };
      const app = await mount(toGuest(obeys), {}, await openOwnPage(context), csp);
      await isCalledSilent(app, { method: 'wait', params: { url: `${world.evil}/wait/${ms}` } }, context);
    },
  );
});

/** Ends the process of a frame. Playwright then gives up the whole page, so the rest goes through a session of its own. */
const crash = async (page: Page, frame: Frame): Promise<{ seen(): Promise<string> }> => {
  const host = await page.context().newCDPSession(page);
  const guest = await page.context().newCDPSession(frame);
  guest.send('Page.crash').catch(() => undefined);
  return {
    seen: async () => {
      const expression = `JSON.stringify(window.mounted.map(({ messages }) => messages
        .filter(({ method }) => method.endsWith('app-health')).map(({ params }) => params.state)))`;
      const { result } = await host.send('Runtime.evaluate', { expression, returnByValue: true });
      return String(result.value);
    },
  };
};

describe.concurrent('an app', () => {
  test.for(ways)(
    'that reloads or leaves is not called anything, only seen to go, %s',
    async ([, mount], context) => {
      const { expect } = context;
      const eventually = eventuallyIn(context);
      const page = await openOwnPage(context);
      const app = await mount(toGuest(obeys), {}, page);
      await waitFor(app, 'ran');
      await app.post({ jsonrpc: '2.0', method: 'reload' });
      await eventually(() => app.said('ran')).toHaveLength(2);
      await app.post({ jsonrpc: '2.0', method: 'leave' });
      await eventually(() => app.sandboxMessages('frame-loaded')).toContainEqual({
        sinceLoaderReady: expect.any(Number),
        left: true,
      });
      // Longer than it takes to miss a beat or to count a document as gone.
      await page.waitForTimeout(9000);
      expect(await states(app)).toEqual([]);
    },
  );

  test('whose process crashed is silent and then gone; its neighbour and the page go on', async (context) => {
    const page = await openOwnPage(context);
    const neighbour = await mountApp(page, world, toGuest(obeys), { domain: 'neighbour' });
    await waitFor(neighbour, 'ran');
    const app = await mountApp(page, world, toGuest(obeys));
    await waitFor(app, 'ran');
    const { seen } = await crash(page, await app.guest());
    await eventuallyIn(context)(seen).toBe('[[],["silent","gone"]]');
  });

  test('that is opaque and crashed is only known to be silent', async (context) => {
    const page = await openOwnPage(context);
    const app = await mountOpaque(page, world, toGuest(obeys), { hostOrigin: world.hostOrigin });
    await waitFor(app, 'ran');
    const { seen } = await crash(page, await app.guest());
    await eventuallyIn(context)(seen).toBe('[["silent"]]');
  });

  test('can neither hold the port of its loader nor answer for a stalled thread', async (context) => {
    const { expect } = context;
    const steals = `let caught = 0;
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (...given) { caught += 1; return postMessage.apply(this, given); };
      addEventListener('message', ({ ports }) => { caught += ports.length; }, true);
      setTimeout(() => say('caught', caught), 5000);`;
    const app = await mountApp(await openOwnPage(context), world, toGuest(steals));
    expect(await waitFor(app, 'caught')).toBe(0);
    expect(await states(app)).toEqual([]);
  });
});
