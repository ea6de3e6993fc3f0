import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually, waitUntil } from '../support/eventually.js';
import { page, useHostPage, world } from './fixture.js';
import { guestOf, modeOf, received, recorded, show } from './support.js';
import { drawTwice, quietApp, toApp } from '../support/guest.js';

const displayModes = ['inline', 'fullscreen', 'pip'];
const viewport = { width: 1000, height: 700 };

useHostPage(viewport);

const setMode = (mode: 'inline' | 'fullscreen' | 'pip', index = 0): Promise<void> =>
  page.evaluate(([next, at]) => window.hostApps[at]?.app.setDisplayMode(next), [mode, index] as const);

const wrapper = (index = 0) => page.locator('[data-display-mode]').nth(index);
const closeButton = () => page.getByRole('button', { name: 'Close', exact: true });

const mark = async (): Promise<void> => {
  await (await guestOf(page)).evaluate(() => (document.title = 'untouched'));
};
const expectUntouched = async (): Promise<void> => {
  expect(await (await guestOf(page)).title()).toBe('untouched');
};

verifies(
  ['S1-68', 'S1-70'],
  'fullscreen covers the whole viewport by style alone; Close brings it back inline and the app is told both',
  async () => {
    await show(page, { html: quietApp, base: world.base, options: { displayModes } });
    await mark();
    expect(await closeButton().count()).toBe(0);
    await setMode('fullscreen');
    expect(await wrapper().boundingBox()).toEqual({ x: 0, y: 0, ...viewport });
    const frame = await page.locator('iframe').boundingBox();
    expect(frame).toMatchObject({ x: 0, width: viewport.width });
    expect((frame?.y ?? 0) + (frame?.height ?? 0)).toBe(viewport.height);
    const changes = () => received(page, 'ui/notifications/host-context-changed');
    await eventually(changes).toContainEqual(
      expect.objectContaining({
        displayMode: 'fullscreen',
        containerDimensions: { width: viewport.width, height: frame?.height },
      }),
    );
    await closeButton().click();
    expect(await modeOf(page)).toBe('inline');
    await eventually(changes).toContainEqual(expect.objectContaining({ displayMode: 'inline' }));
    await expectUntouched();
  },
);

verifies(
  ['S1-69', 'S1-70'],
  'one app at a time floats, as a card at the top; the next one takes its place and the first is told',
  async () => {
    const plan = { html: quietApp, base: world.base, options: { displayModes } };
    await show(page, plan);
    await show(page, plan);
    await mark();
    await setMode('pip');
    await eventually(async () => (await wrapper().boundingBox())?.y).toBe(16);
    const card = await wrapper().boundingBox();
    expect(card?.width).toBe(400);
    expect((card?.x ?? 0) + (card?.width ?? 0)).toBe(viewport.width - 16);
    expect(await modeOf(page, 1)).toBe('inline');
    await setMode('pip', 1);
    await eventually(() => modeOf(page)).toBe('inline');
    expect(await modeOf(page, 1)).toBe('pip');
    await eventually(() => received(page, 'ui/notifications/host-context-changed')).toContainEqual(
      expect.objectContaining({ displayMode: 'inline' }),
    );
    expect(await closeButton().count()).toBe(1);
    await closeButton().click();
    expect(await modeOf(page, 1)).toBe('inline');
    await expectUntouched();
  },
);

test('fullscreen is a dialog: named, focused at its head, left by Escape, with the focus back at the opener', async () => {
  await show(page, { html: quietApp, base: world.base, options: { displayModes } });
  await page.locator('#field').focus();
  await setMode('fullscreen');
  const dialog = page.getByRole('dialog', { name: 'show_weather, app from weather' });
  expect(await dialog.getAttribute('aria-modal')).toBe('true');
  const focused = () =>
    page.evaluate(() => {
      const root = document.activeElement;
      const inner = root?.shadowRoot?.activeElement ?? root;
      if (inner === document.body) return 'nowhere';
      return inner?.textContent || inner?.id || inner?.tagName;
    });
  expect(await focused()).toBe('Close');
  // Tab goes from the head into the app and round again, never to the page behind.
  const seen = new Set<string | undefined>();
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press('Tab');
    // Between two processes the focus is nowhere for a moment.
    seen.add(await waitUntil(focused, (place) => place !== 'nowhere', { what: 'a focus' }));
  }
  expect([...seen].sort()).toEqual(['Close', 'IFRAME']);
  await closeButton().focus();
  await page.keyboard.press('Escape');
  expect(await modeOf(page)).toBe('inline');
  expect(await focused()).toBe('field');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('a floating card takes no focus, and only an Escape of its own sends it back', async () => {
  await show(page, { html: quietApp, base: world.base, options: { displayModes } });
  await page.locator('#field').focus();
  await setMode('pip');
  await page.keyboard.type('still here');
  await page.keyboard.press('Escape');
  expect(await page.locator('#field').inputValue()).toBe('still here');
  expect(await modeOf(page)).toBe('pip');
  await closeButton().press('Escape');
  expect(await modeOf(page)).toBe('inline');
});

test('an app that does not know inline is closed by Close: nothing may cover a page for good', async () => {
  const html = toApp(`
    await bridge.request('ui/initialize', {
      appInfo: { name: 'covering', version: '1' }, protocolVersion: '2026-01-26',
      appCapabilities: { availableDisplayModes: ['fullscreen'] },
    });
    bridge.notify('ui/notifications/initialized', {});`);
  await show(page, { html, base: world.base, options: { displayModes } });
  expect(await modeOf(page)).toBe('fullscreen');
  await closeButton().click();
  await eventually(() => page.locator('iframe').count()).toBe(0);
  expect(await page.evaluate(() => window.hostApps[0]?.app.getSnapshot().status)).toBe('closed');
});

test('entering a mode moves a little, and not at all for those who want less motion', async () => {
  await show(page, { html: quietApp, base: world.base, options: { displayModes } });
  // Slowly enough to be seen, however late this test looks.
  const devtools = await page.context().newCDPSession(page);
  onTestFinished(() => devtools.detach());
  await devtools.send('Animation.enable');
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0.01 });
  const moving = () => wrapper().evaluate((element) => element.getAnimations().length);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await setMode('pip');
  expect(await moving()).toBe(0);
  await setMode('inline');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await setMode('pip');
  expect(await moving()).toBe(1);
});

verifies(['S1-71'], "the frame's title is MCP App: and the tool's name", async () => {
  await show(page, { html: quietApp, base: world.base, tool: 'get_forecast' });
  expect(await page.locator('iframe').getAttribute('title')).toBe('MCP App: get_forecast');
});

verifies(
  ['S1-67', 'HOST-043'],
  'an inline app starts at 400 pixels and follows its reports within the bounds given (MCPAppsRenderer gives 320 to 600)',
  async () => {
    const html = toApp(`await bridge.initialize();
      globalThis.report = (height) => bridge.notify('ui/notifications/size-changed', { height });`);
    await show(page, { html, base: world.base, options: { inlineHeight: { min: 320, max: 600 } } });
    const height = () => page.locator('iframe').evaluate((frame) => frame.clientHeight);
    expect(await height()).toBe(400);
    const report = async (value: number) =>
      (await guestOf(page)).evaluate(
        // The guest's own script put it there.
        (px) => (globalThis as unknown as { report(height: number): void }).report(px),
        value,
      );
    await report(500);
    await eventually(height).toBe(500);
    await report(100);
    await eventually(height).toBe(320);
    await report(2_000);
    await eventually(height).toBe(600);
    await show(page, { html: quietApp, base: world.base });
    expect(
      await page
        .locator('iframe')
        .nth(1)
        .evaluate((frame) => frame.clientHeight),
    ).toBe(400);
  },
);

verifies(['HOST-044', 'HOST-042'], 'a size the embedder fixed is the size of the frame', async () => {
  const html = toApp(
    `await bridge.initialize(); bridge.notify('ui/notifications/size-changed', { width: 900, height: 900 });
     bridge.notify('notifications/message', { level: 'info', data: 'after the size' });`,
  );
  const hostContext = { containerDimensions: { width: 420, height: 260 } };
  await show(page, { html, base: world.base, options: { hostContext } });
  const size = () =>
    page.locator('iframe').evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
  await eventually(size).toEqual([420, 260]);
  // What was sent later, on the same way, has arrived, and the page has been drawn since.
  await eventually(async () => JSON.stringify(await recorded(page, 'notification'))).toContain(
    'after the size',
  );
  await drawTwice(page);
  expect(await size()).toEqual([420, 260]);
});

test('nothing of the frame is seen before its app is ready, and it has the colour scheme the app is told', async () => {
  const html = toApp(`globalThis.go = () => bridge.initialize();`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await show(page, { html, base: world.base }, 'handshake');
  const look = () =>
    page.locator('iframe').evaluate((frame) => {
      const { opacity, colorScheme } = getComputedStyle(frame);
      return { opacity, colorScheme };
    });
  expect((await look()).opacity).toBe('0');
  const guest = await guestOf(page);
  await guest.waitForFunction(() => 'go' in globalThis);
  await guest.evaluate(() => (globalThis as unknown as { go(): void }).go());
  await eventually(look).toEqual({ opacity: '1', colorScheme: 'dark' });
});
