import type { Frame } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { quietApp, receivedBy, toApp } from '../support/guest.js';
import { page, useHostPage, world } from './fixture.js';
import {
  answerReads,
  behave,
  installPreparing,
  mountPrepared,
  prepare,
  readPrepared,
  warmSteps,
  type Behaviour,
} from './prepare-support.js';

/*
 * An app that was made ready starts with the run itself, while the server is asked whether its document still holds.
 * Until the server has said so it is not there for anybody.
 */

useHostPage();

beforeEach(() => installPreparing(page));

const steps = () => warmSteps(page);
const status = async () => (await readPrepared(page)).status;
const asked = async () => (await readPrepared(page)).asked ?? [];
const frames = () => page.locator('section iframe');
const innerFrames = (): Frame[] => page.frames().filter((frame) => frame.parentFrame()?.parentFrame());
const inner = async (): Promise<Frame> => {
  await eventually(() => innerFrames()[0]?.url()).toContain('/app?');
  const [frame] = innerFrames();
  if (!frame) throw new Error('unreachable: it was found');
  return frame;
};
const record = () =>
  page.evaluate(() => (window.prepared[0]?.recording.entries() ?? []).map(({ dir, raw }) => ({ dir, raw })));
/** What apps said, as far as the host heard it. */
const heard = async (): Promise<string[]> =>
  (await record()).flatMap(({ dir, raw }) => {
    const { method } = Object(raw);
    return dir === 'in' && typeof method === 'string' && !method.includes('/sandbox-') ? [method] : [];
  });

/** An app that shows that it runs, and does this as its first act. */
const does = (act: string): string => toApp(`document.title = 'ran'; ${act}`);
const fresh = toApp(`document.title = 'fresh'; await bridge.initialize();`);

/** Presses Run on an app that was made ready, with a server that has not answered yet; the app runs by then. */
const startEarly = async (html: string, options: Record<string, unknown> = {}): Promise<Frame> => {
  await prepare(page, world.base, { html }, options);
  await eventually(steps).toEqual(['prepared']);
  const frame = await inner();
  await behave(page, { read: 'waits' });
  await mountPrepared(page);
  return frame;
};
const hasRun = (frame: Frame) => eventually(() => frame.title()).toBe('ran');

describe('B32 an app that runs before the server confirmed it', () => {
  test('is not seen, not reached, not served and not told anything; confirmed, it goes on as it is', async () => {
    const frame = await startEarly(
      does(`bridge.request('tools/call', { name: 'show_weather', arguments: {} });
        bridge.notify('ui/notifications/size-changed', { width: 500, height: 3000 });
        await bridge.initialize();`),
    );
    await hasRun(frame);
    expect(await status()).toBe('loading');
    const element = frames();
    expect(
      await element.evaluate((one: HTMLElement) => [
        one.inert,
        one.ariaHidden,
        one.tabIndex,
        getComputedStyle(one).opacity,
        one.clientHeight,
      ]),
    ).toEqual([true, 'true', -1, '0', 400]);
    expect(await page.locator('body').ariaSnapshot()).not.toMatch(/iframe|MCP App/);
    await page.locator('#field').focus();
    for (const key of ['Tab', 'Shift+Tab', 'Tab']) await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.localName)).not.toBe('iframe');
    expect(await heard()).toEqual([]);
    expect(await asked()).not.toContain('tools/call');
    expect(await frame.evaluate('bridge.received.length')).toBe(0);
    expect(await page.evaluate(() => window.prepared[0]?.app?.getSnapshot().appInfo)).toBeUndefined();

    await answerReads(page);
    await eventually(status).toBe('ready');
    expect(await steps()).toEqual(['prepared', 'used']);
    expect(frame.isDetached()).toBe(false);
    expect(await frame.title()).toBe('ran');
    await eventually(() => receivedBy(frame, 'ui/notifications/tool-input')).toHaveLength(1);
    // It asked before it was initialized, and is told so now as it would have been then.
    expect((await heard()).slice(0, 3)).toEqual([
      'tools/call',
      'ui/notifications/size-changed',
      'ui/initialize',
    ]);
    expect(await asked()).not.toContain('tools/call');
    expect(await element.evaluate((one: HTMLElement) => [one.inert, one.ariaHidden, one.tabIndex])).toEqual([
      false,
      null,
      0,
    ]);
    await eventually(() => element.evaluate((one) => getComputedStyle(one).opacity)).toBe('1');
    expect((await record()).filter(({ raw }) => Object(raw).type === 'early-start')).toHaveLength(1);
  });

  const greedy = does(`
    bridge.request('tools/call', { name: 'show_weather', arguments: {} });
    bridge.request('ui/open-link', { url: 'https://example.com/' });
    bridge.request('ui/message', { role: 'user', content: { type: 'text', text: 'hello' } });
    await bridge.initialize();
    bridge.request('tools/call', { name: 'show_weather', arguments: {} });`);

  test.for<[string, Behaviour, string]>([
    ['the server has other HTML by now', { html: fresh }, 'dropped html-changed'],
    [
      'its policy is another by now',
      { html: fresh, ui: { csp: { connectDomains: ['https://api.example.com'] } } },
      'dropped policy-changed',
    ],
    [
      'only its policy is another by now',
      { html: fresh, ui: { csp: { connectDomains: [] } } },
      'dropped policy-changed',
    ],
  ])('is gone and had nothing when %s', async ([, change, entry]) => {
    const frame = await startEarly(greedy);
    await hasRun(frame);
    await answerReads(page, change);
    await eventually(status).toBe('ready');
    await eventually(() => frame.isDetached()).toBe(true);
    expect(await frames().count()).toBe(1);
    expect(await (await inner()).title()).toBe('fresh');
    expect(await steps()).toEqual(['prepared', entry]);
    expect(await heard()).toEqual(['ui/initialize', 'ui/notifications/initialized']);
    expect(await asked()).not.toContain('tools/call');
    expect(page.context().pages()).toHaveLength(1);
  });

  test.for([
    ['server-sign-in', 'server-sign-in'],
    ['server-exited', 'server-lost'],
  ] as const)('is gone with a run that ends as %s', async ([read, failure]) => {
    const frame = await startEarly(greedy);
    await hasRun(frame);
    await answerReads(page, { read });
    await eventually(async () => (await readPrepared(page)).failure).toBe(failure);
    await eventually(() => frames().count()).toBe(0);
    expect(await steps()).toEqual(['prepared', 'dropped run-failed']);
    expect(await heard()).toEqual([]);
    await behave(page, { read: 'answers', html: fresh });
    await page.evaluate(() => window.prepared[0]?.app?.reload());
    await eventually(status).toBe('ready');
    expect(await (await inner()).title()).toBe('fresh');
  });

  test('is gone after two seconds without an answer, and the answer after that has new frames', async () => {
    const frame = await startEarly(greedy);
    await hasRun(frame);
    await eventually(steps).toEqual(['prepared', 'dropped unconfirmed']);
    await eventually(() => frame.isDetached()).toBe(true);
    expect(await status()).toBe('loading');
    // Both pages of ours wait there, without any app.
    const empty = await inner();
    await empty.waitForLoadState('load');
    expect(await empty.locator('#shown').count()).toBe(0);
    await answerReads(page, { read: 'answers', html: fresh });
    await eventually(status).toBe('ready');
    expect(await (await inner()).title()).toBe('fresh');
    expect(await heard()).toEqual(['ui/initialize', 'ui/notifications/initialized']);
  });

  test('is gone when the server never answers, with the run', async () => {
    const frame = await startEarly(greedy, { limits: { resourceMs: 3_000 } });
    await hasRun(frame);
    await eventually(async () => (await readPrepared(page)).failure).toBe('resource-timeout');
    expect(await frames().count()).toBe(0);
    expect(await heard()).toEqual([]);
  });

  test('is gone when it is closed meanwhile', async () => {
    const frame = await startEarly(greedy);
    await hasRun(frame);
    await page.evaluate(() => window.prepared[0]?.app?.close());
    expect(await frames().count()).toBe(0);
    await answerReads(page);
    expect(await status()).toBe('closed');
    expect(await heard()).toEqual([]);
  });
});

describe('B32 an app that uses the time in which nobody looks', () => {
  test.for([
    [
      'many words',
      `for (let i = 0; i < 500; i += 1) bridge.notify('notifications/message', { level: 'info', data: i });`,
    ],
    ['long words', `bridge.notify('notifications/message', { level: 'info', data: 'x'.repeat(300_000) });`],
  ] as const)('for %s loses it; the run has new frames', async ([, act]) => {
    const frame = await startEarly(does(`${act} await bridge.initialize();`));
    await eventually(steps).toEqual(['prepared', 'dropped spoke-much']);
    await eventually(() => frame.isDetached()).toBe(true);
    expect(await heard()).toEqual([]);
    await answerReads(page, { html: fresh });
    await eventually(status).toBe('ready');
    expect(await (await inner()).title()).toBe('fresh');
    expect(await heard()).toEqual(['ui/initialize', 'ui/notifications/initialized']);
  });

  test('to take the focus loses it, and no key goes there', async () => {
    await page.locator('#field').focus();
    const frame = await startEarly(
      does(`addEventListener('keydown', ({ key }) => bridge.notify('notifications/message', { level: 'info', data: 'key ' + key }), true);
        setInterval(() => window.focus(), 5);`),
    );
    await eventually(steps).toEqual(['prepared', 'dropped focus-taken']);
    await eventually(() => frame.isDetached()).toBe(true);
    await page.keyboard.type('secret');
    expect(await page.locator('#field').inputValue()).toBe('secret');
    await answerReads(page, { html: fresh });
    await eventually(status).toBe('ready');
    expect(JSON.stringify(await record())).not.toContain('"key ');
  });

  test('to go elsewhere is found out once it is confirmed', async () => {
    const frame = await startEarly(does(`location.href = 'about:blank#gone';`));
    await eventually(() => frame.url()).not.toContain('/app?');
    await answerReads(page);
    await eventually(async () => (await readPrepared(page)).failure).toBe('app-navigated');
    await eventually(() => frames().count()).toBe(0);
  });

  test('to begin again, or to play the loader, gets a new frame of the proxy and no more than that', async () => {
    const act = `
      if (!sessionStorage.tried) {
        sessionStorage.tried = 'yes';
        bridge.notify('ui/notifications/sandbox-loader-ready', { pass: 'guess' });
        bridge.notify('ui/notifications/sandbox-proxy-ready', {});
        bridge.notify('ui/notifications/sandbox-app-health', { state: 'alive' });
      } else await bridge.initialize();`;
    await startEarly(does(act));
    await eventually(() => innerFrames()[0]?.title()).toBe('ran');
    expect(await heard()).toEqual([]);
    await answerReads(page);
    await eventually(status).toBe('ready');
    expect(await frames().count()).toBe(1);
    expect(await heard()).toEqual(['ui/initialize', 'ui/notifications/initialized']);
  });
});

describe('an app does not start early', () => {
  /** Whether it ran by the time its host asked for the document and was not answered. */
  const ranEarly = async (behaviour: Behaviour, options: Record<string, unknown> = {}): Promise<boolean> => {
    await prepare(page, world.base, behaviour, options);
    await eventually(steps).toEqual(['prepared']);
    const frame = await inner();
    await frame.waitForLoadState('load');
    await behave(page, { read: 'waits' });
    await mountPrepared(page);
    await eventually(asked).toHaveLength(3);
    const begun = (await record()).some(({ raw }) => Object(raw).type === 'early-start');
    expect((await frame.title()) === 'ran').toBe(false);
    await answerReads(page);
    await eventually(status).toBe('ready');
    return begun;
  };
  const plain = does('await bridge.initialize();');

  test.for([
    ['reaches other sites', { csp: { connectDomains: ['https://api.example.com'] } }, {}],
    ['has a device', { permissions: { camera: {} } }, { permissions: ['camera'] }],
    ['keeps what it stores', {}, { storage: 'persistent', user: 'ada' }],
  ] as const)('that %s', async ([, ui, options]) => {
    expect(await ranEarly({ html: plain, ui }, options)).toBe(false);
  });

  test('that its embedder judges first', async () => {
    await page.evaluate(([base, html]) => window.prepareOne(base, { html }, { review: () => undefined }), [
      world.base,
      plain,
    ] as const);
    await eventually(steps).toEqual(['prepared']);
    await behave(page, { read: 'waits' });
    await mountPrepared(page);
    await eventually(asked).toHaveLength(3);
    await answerReads(page, { html: quietApp });
    await eventually(status).toBe('ready');
    // It runs in the very frames that waited, so nothing else ever did.
    expect(await steps()).toEqual(['prepared', 'used']);
  });
});
