import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { page, useHostPage, world } from './fixture.js';
import { guestOf, reaches, recorded, show } from './support.js';
import { quietApp, say, toApp } from '../support/guest.js';
import { stolenKeys, toThief } from './thief.js';

useHostPage();

/** Saves with two calls, each a second after the last, and only then answers. */
const savesInTwoSteps = toApp(`
  const pause = () => new Promise((resolve) => setTimeout(resolve, 1000));
  bridge.answers['ui/resource-teardown'] = (_params, id) => {
    (async () => {
      for (const part of ['first', 'second']) {
        await pause();
        await bridge.callTool('save', { part });
      }
      bridge.post({ jsonrpc: '2.0', id, result: {} });
    })();
  };
  await bridge.initialize();
`);

/** Never answers, and says from time to time that it is still there. */
const staysOn = toApp(`
  bridge.answers['ui/resource-teardown'] = () => undefined;
  await bridge.initialize();
`);

const withoutMoves = (): Promise<void> =>
  page.evaluate(() => {
    // A browser that does not have it yet.
    Reflect.deleteProperty(Element.prototype, 'moveBefore');
  });

/** Shows an app whose server keeps what is saved. */
const showSaving = async (html: string): Promise<void> => {
  await page.evaluate(
    ({ html: text, base }) => {
      const saved: unknown[] = (window.hostHeld.saved = []);
      const uri = 'ui://notes/app';
      const toTool = (name: string) => ({
        name,
        inputSchema: { type: 'object' as const },
        annotations: { readOnlyHint: false, destructiveHint: false },
        _meta: { ui: { resourceUri: uri } },
      });
      const tool = toTool('show');
      const container = document.createElement('section');
      document.body.append(container);
      const recording = window.hostModule.createRecording({ writer: 'page' });
      const app = window.hostModule.mountApp(container, {
        server: {
          name: 'notes',
          identity: 'test-notes',
          listTools: async () => [tool, toTool('save')],
          async callTool(params) {
            saved.push(params.arguments);
            return { content: [] };
          },
          readResource: async () => ({ contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text }] }),
          listResources: async () => [],
          subscribe: () => () => undefined,
        },
        tool,
        sandbox: { base },
        recording,
      });
      window.hostApps.push({ app, container, recording });
    },
    { html, base: world.base },
  );
  await reaches(page, 'ready');
};

/** What the user sees of the frames: how many are in sight, and the room the first app's place takes. */
const readSight = () =>
  page.evaluate(() => ({
    frames: document.querySelectorAll('iframe').length,
    inSight: [...document.querySelectorAll('iframe')].filter((frame) =>
      frame.checkVisibility({ visibilityProperty: true }),
    ).length,
    height: window.hostApps[0]?.container.getBoundingClientRect().height,
  }));

test.each(['with moveBefore', 'without moveBefore'])(
  'an app that saves in two steps has saved both when it is closed, and nobody saw it do so (%s)',
  async (way) => {
    if (way === 'without moveBefore') await withoutMoves();
    await showSaving(savesInTwoSteps);
    await page.evaluate(() => {
      const closed = window.hostApps[0]?.app.close('The chat was closed.');
      window.hostHeld.closed = closed;
    });
    expect(await readSight()).toEqual({ frames: 1, inSight: 0, height: 0 });
    expect(await page.evaluate(() => window.hostApps[0]?.app.getSnapshot().status)).toBe('tearing-down');
    await page.evaluate(() => window.hostHeld.closed);
    expect(await page.evaluate(() => window.hostHeld.saved)).toEqual([{ part: 'first' }, { part: 'second' }]);
    expect(await readSight()).toMatchObject({ frames: 0 });
    expect(await recorded(page, 'lifecycle')).toContainEqual({ type: 'teardown', outcome: 'answered' });
  },
);

test.each(['with moveBefore', 'without moveBefore'])(
  'an app that says goodbye is not seen in a page that makes every frame visible either (%s)',
  async (way) => {
    if (way === 'without moveBefore') await withoutMoves();
    await page.addStyleTag({ content: 'div, iframe { visibility: visible }' });
    const options = { displayModes: ['inline', 'fullscreen'], limits: { teardownMs: 60_000 } };
    await show(page, { html: staysOn, base: world.base, options });
    await page.evaluate(() => {
      const { app } = window.hostApps[0] ?? {};
      app?.setDisplayMode('fullscreen');
      void app?.close();
    });
    const isSeen = () =>
      page.locator('iframe').evaluate((frame) => frame.checkVisibility({ opacityProperty: true }));
    expect(await isSeen()).toBe(false);
    // Nor is the keyboard in what is around it.
    const isHeld = () =>
      page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body);
    await eventually(isHeld).toBe(false);
  },
);

test('an app that asks to be closed, or is closed by its own Close, is out of sight at once too', async () => {
  const asks = toApp(`
    bridge.answers['ui/resource-teardown'] = () => undefined;
    await bridge.initialize();
    bridge.notify('ui/notifications/request-teardown', {});
  `);
  await page.evaluate((given) => window.showApp(given), { html: asks, base: world.base });
  await reaches(page, 'tearing-down');
  expect(await readSight()).toEqual({ frames: 1, inSight: 0, height: 0 });
});

test('the next app is ready while the last one still says goodbye; Stop ends that at once', async () => {
  await show(page, { html: staysOn, base: world.base, options: { limits: { teardownMs: 60_000 } } });
  await page.evaluate(() => void window.hostApps[0]?.app.close());
  await show(page, { html: quietApp, base: world.base });
  const statuses = () => page.evaluate(() => window.hostApps.map(({ app }) => app.getSnapshot().status));
  expect(await statuses()).toEqual(['tearing-down', 'ready']);
  await page.evaluate(() => window.hostApps[0]?.app.stop());
  expect(await statuses()).toEqual(['closed', 'ready']);
  expect(await readSight()).toMatchObject({ frames: 1, inSight: 1 });
  expect(await recorded(page, 'lifecycle')).toContainEqual({ type: 'teardown-skipped', cause: 'stopped' });
});

test('of more than eight apps that say goodbye the oldest is ended at once', async () => {
  const options = { limits: { teardownMs: 60_000 }, presence: 'always' };
  for (let index = 0; index < 9; index += 1) await show(page, { html: staysOn, base: world.base, options });
  const statuses = await page.evaluate(() => {
    for (const { app } of window.hostApps) void app.close();
    return window.hostApps.map(({ app }) => app.getSnapshot().status);
  });
  expect(statuses).toEqual(['closed', ...Array<string>(8).fill('tearing-down')]);
  expect(await recorded(page, 'lifecycle')).toContainEqual({ type: 'teardown-skipped', cause: 'too-many' });
  expect(await readSight()).toMatchObject({ frames: 8, inSight: 0 });
});

test.each(['with moveBefore', 'without moveBefore'])(
  'sec-B3 an app on its way out does not hold the keyboard, and is ended when it takes it (%s)',
  async (way) => {
    if (way === 'without moveBefore') await withoutMoves();
    // It has the keyboard rightly: the user pressed in it. Then it is closed, and wants to keep it.
    const html = toThief('its window and a field', 200).replace(
      'await bridge.initialize();',
      "bridge.answers['ui/resource-teardown'] = () => undefined; await bridge.initialize();",
    );
    await show(page, { html, base: world.base, options: { limits: { teardownMs: 60_000 } } });
    await page.frameLocator('iframe').frameLocator('iframe').getByLabel('in the app').click();
    await page.evaluate(() => void window.hostApps[0]?.app.close());
    await reaches(page, 'closed');
    const before = (await stolenKeys(page)).length;
    await page.keyboard.type('secret', { delay: 20 });
    expect((await stolenKeys(page)).length).toBe(before);
    expect(await recorded(page, 'lifecycle')).toContainEqual({
      type: 'teardown-skipped',
      cause: 'keyboard-taken',
    });
  },
);

test('an app that had the keyboard does not hear the keys that are pressed after it was closed', async () => {
  const html = toApp(`
    addEventListener('keydown', ({ key }) => bridge.notify('notifications/message', { level: 'info', data: 'key ' + key }), true);
    bridge.answers['ui/resource-teardown'] = () => undefined;
    await bridge.initialize();
  `);
  await show(page, { html, base: world.base, options: { limits: { teardownMs: 60_000 } } });
  await page.frameLocator('iframe').frameLocator('iframe').getByLabel('in the app').click();
  await page.keyboard.type('a');
  await eventually(() => stolenKeys(page)).toEqual(['a']);
  await page.evaluate(() => void window.hostApps[0]?.app.close());
  await page.keyboard.type('bcd', { delay: 20 });
  // What it says afterwards, on the same way, is heard.
  await say(await guestOf(page), 'after the keys');
  await eventually(async () => JSON.stringify(await recorded(page, 'notification'))).toContain(
    'after the keys',
  );
  expect(await stolenKeys(page)).toEqual(['a']);
});
