import { afterEach, beforeEach, describe, expect } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { eventually } from '../../support/eventually.js';
import { guestPages, toModulePage } from './guest-page.js';
import { hostOrigin, hosts, openOfficial, useHosts, type Host } from './hosts.js';
import { returnPage } from '../../support/borrowed-page.js';

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

  afterEach(() => returnPage(host.page));

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
      await returnPage(host.page);
    }
    expect(outcomes).toEqual([
      ['yes', 1],
      ['AppError wrong-origin', 0],
      ['yes', 1],
    ]);
  });
});
