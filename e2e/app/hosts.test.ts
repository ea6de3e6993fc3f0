import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { guestPages, toModulePage } from './guest-page.js';
import { hostOrigin, hosts, openOfficial, useHosts, type Host } from './hosts.js';

useHosts();

const pairs = Object.entries(guestPages).flatMap(([form, toPage]) =>
  Object.entries(hosts).map(([name, open]) => ({ form, name, toPage, open })),
);

describe.each(pairs)('$form under $name', ({ toPage, open }) => {
  let host: Host;

  beforeEach(async () => {
    host = await open(await toPage());
    expect(await host.guest.evaluate(() => document.body.dataset)).toEqual({ connected: 'yes' });
    await eventually(() => host.asked('initialized')).toHaveLength(1);
  });

  afterEach(() => host.page.close());

  verifies(
    ['S3-70', 'S3-71', 'S4-07', 'S4-14', 'VIEW-009'],
    'connects, asks, is told, and ends',
    async () => {
      const { guest } = host;
      const heard = (type: string): Promise<unknown[]> =>
        guest.evaluate(
          (name) => window.guest.heard.filter((event) => event.type === name).map(({ params }) => params),
          type,
        );

      // Looks: theme and variables are the host's, the size is the content's.
      expect(
        await guest.evaluate(() => [
          document.documentElement.dataset['theme'],
          document.documentElement.style.getPropertyValue('--color-text-primary'),
          [...document.fonts].map(({ family }) => family),
        ]),
      ).toEqual(['dark', 'rgb(1, 2, 3)', ['x']]);
      await eventually(() => host.asked('size')).not.toEqual([]);

      // Asked of the host.
      expect(await guest.evaluate(() => window.guest.callTool('echo', { a: [1, 'ü'] }))).toMatchObject({
        content: [{ type: 'text', text: 'done' }],
        structuredContent: { a: [1, 'ü'] },
      });
      expect(await host.asked('tool echo')).toEqual([{ a: [1, 'ü'] }]);
      expect(await guest.evaluate(() => window.guest.readResource('note://1'))).toMatchObject({
        contents: [{ uri: 'note://1', text: 'a note' }],
      });
      await guest.evaluate(() => window.guest.sendMessage('Hi'));
      expect(await host.asked('message')).toEqual([
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      ]);
      await guest.evaluate(() => window.guest.openLink('https://example.com/a'));
      expect(await host.asked('link')).toHaveLength(1);
      await guest.evaluate(() => window.guest.updateModelContext({ city: 'Bern' }));
      expect(await host.asked('context')).toMatchObject([{ structuredContent: { city: 'Bern' } }]);
      await guest.evaluate(() => window.guest.log('info', 'said'));
      await eventually(() => host.asked('log')).toMatchObject([{ level: 'info', data: 'said' }]);
      expect(await guest.evaluate(() => window.guest.requestDisplayMode('fullscreen'))).toMatchObject({
        mode: 'fullscreen',
      });
      // A mode the app did not declare is not asked for.
      expect(
        await guest.evaluate(() =>
          window.guest.requestDisplayMode('pip').catch((error: { code: string }) => error.code),
        ),
      ).toBe('undeclared');

      // Told by the host.
      await host.sendInput({ city: 'Köln' });
      await host.sendResult({
        content: [{ type: 'text', text: '21 °C' }],
        structuredContent: { degrees: 21 },
      });
      await eventually(() => heard('toolresult')).toMatchObject([{ structuredContent: { degrees: 21 } }]);
      expect(await heard('toolinput')).toEqual([{ arguments: { city: 'Köln' } }]);
      await host.setContext({ theme: 'light' });
      await eventually(() => guest.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
      expect(await guest.evaluate(() => window.guest.hostContext())).toMatchObject({
        theme: 'light',
        availableDisplayModes: expect.arrayContaining(['inline', 'fullscreen']),
      });

      // Asked by the host.
      await eventually(() => host.listTools()).toMatchObject([
        { name: 'square', description: 'Squares', inputSchema: { required: ['side'] } },
      ]);
      expect(await host.callTool('square', { side: 3 })).toMatchObject({
        content: [{ type: 'text', text: '9' }],
      });
      await host.end();
      expect(await host.asked('tool save')).toEqual([{ at: 'teardown' }]);
    },
  );
});

describe('an app with a list of trusted origins', () => {
  /** Tells in its body how connecting went. */
  const toPage = (origins: readonly string[]): Promise<string> =>
    toModulePage(`import { App } from '@casement/app';
const app = new App({ name: 'careful', version: '1.0.0' }, {}, { trustedOrigins: ${JSON.stringify(origins)} });
const tell = (outcome) => { document.body.dataset.connected = outcome; };
app.connect().then(() => tell('yes'), (error) => tell(error.name + ' ' + error.code));`);

  verifies(['S3-76', 'S3-77'], 'speaks to the page around it only if that is on the list', async () => {
    const outcomes: [unknown, number][] = [];
    for (const origins of [[hostOrigin()], ['https://claude.ai'], ['https://claude.ai', hostOrigin()]]) {
      const host = await openOfficial('2.0.4', await toPage(origins));
      const outcome = await host.guest.evaluate(() => document.body.dataset['connected']);
      if (outcome === 'yes') await eventually(() => host.asked('initialized')).toHaveLength(1);
      outcomes.push([outcome, (await host.asked('initialized')).length]);
      await host.page.close();
    }
    expect(outcomes).toEqual([
      ['yes', 1],
      ['AppError wrong-origin', 0],
      ['yes', 1],
    ]);
  });
});

describe('the size of the content', () => {
  const script = `import { App } from '@casement/app';
const app = new App({ name: 'sizes', version: '1.0.0' });
globalThis.grow = (height) => { document.querySelector('p').style.height = height + 'px'; };
app.connect().then(() => { document.body.dataset.connected = 'yes'; });`;

  const heightsOf = async (host: Host): Promise<unknown[]> =>
    (await host.asked('size')).map((size) => (size as { height: number }).height); // what size-changed carries

  const grow = (host: Host, height: number): Promise<void> =>
    // Put there by the script above.
    host.guest.evaluate((to) => (Reflect.get(window, 'grow') as (height: number) => void)(to), height);

  verifies('VIEW-009', 'is reported once per size, and follows it both ways', async () => {
    const style = '<style>html{height:100%}body{margin:10px}p{margin:0;height:80px}</style>';
    const host = await openOfficial('2.0.4', await toModulePage(script, style));
    await eventually(() => heightsOf(host)).toEqual([100]);
    await grow(host, 280);
    await eventually(() => heightsOf(host)).toEqual([100, 300]);
    await grow(host, 180);
    await eventually(() => heightsOf(host)).toEqual([100, 300, 200]);
    await host.page.close();
  });

  test('does not run away when the content is always taller than its frame', async () => {
    const style = '<style>body{margin:0;height:calc(100vh + 20px)}p{margin:0;height:10px}</style>';
    const host = await openOfficial('2.0.4', await toModulePage(script, style));
    await eventually(async () => (await heightsOf(host)).length).toBeGreaterThan(1);
    // Ten frames in which nothing but the frame itself could change.
    const frames = (): Promise<void> =>
      host.guest.evaluate(async () => {
        for (let n = 0; n < 10; n += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      });
    await frames();
    const before = await heightsOf(host);
    await frames();
    expect(await heightsOf(host)).toEqual(before);
    expect(before.length).toBeLessThanOrEqual(4);
    await host.page.close();
  });
});
