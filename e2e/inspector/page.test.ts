import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { servers } from './servers.js';
import { openInspector, type InspectorPage } from './support.js';
import { browser, casement, useCasement } from '../support/use-casement.js';
import { shownFrame } from '../support/stage.js';

useCasement({ react: servers.react, debug: servers.debug, n8n: servers.n8n });

const query = ({ page }: InspectorPage) => Object.fromEntries(new URL(page.url()).searchParams);
const selected = async (list: Locator): Promise<string> =>
  (await list.getByRole('option', { selected: true }).allInnerTexts()).join().replaceAll(/\s+/g, ' ');

describe('the address', () => {
  test('follows what the page shows, without the token and without an order to run', async () => {
    const first = await openInspector(browser, casement.url, { server: 'debug', tool: 'debug-tool' });
    await first.button('JSON').click();
    await first.stage.toolArguments.fill('{"contentType":"mixed"}');
    await first.button('Run').click();
    await first.stage.reaches('ready');
    for (const [name, value] of [
      ['Theme', 'dark'],
      ['Width', 'tablet'],
      ['Locale', 'de-DE'],
    ] as const)
      await first.toolbar.getByRole('combobox', { name, exact: true }).selectOption(value);
    await first.panel.getByRole('searchbox', { name: 'Search timeline' }).fill('leg:app tools/call');
    await first.tab('Security').click();
    const shown = {
      server: 'debug',
      tool: 'debug-tool',
      args: '{"contentType":"mixed"}',
      theme: 'dark',
      width: 'tablet',
      locale: 'de-DE',
      tab: 'security',
      filter: 'leg:app tools/call',
    };
    await eventually(() => query(first)).toEqual(shown);
    expect(first.page.url()).not.toContain(casement.token);

    // In another browser, which kept nothing.
    const url = `${first.page.url()}#token=${casement.token}`;
    await first.close();
    const second = await openInspector(browser, url);
    await eventually(() => selected(second.tools)).toBe('debug-tool MCP App');
    await second.button('JSON').click();
    expect(JSON.parse(await second.stage.toolArguments.inputValue())).toEqual({ contentType: 'mixed' });
    const values = await Promise.all(
      ['Theme', 'Width', 'Locale'].map((name) =>
        second.toolbar.getByRole('combobox', { name, exact: true }).inputValue(),
      ),
    );
    expect(values).toEqual(['dark', 'tablet', 'de-DE']);
    expect(await second.tab('Security').getAttribute('aria-selected')).toBe('true');
    await second.tab('Timeline').click();
    expect(await second.panel.getByRole('searchbox').inputValue()).toBe('leg:app tools/call');
    expect(await second.stage.status()).toBe('idle');
    await eventually(() => query(second)).not.toHaveProperty('tab');
    expect({ ...query(second), tab: 'security' }).toEqual(shown);
    await second.close();
  });

  test('a server or tool that is not there is named instead of another one', async () => {
    const inspector = await openInspector(browser, casement.url, { server: 'debug', tool: 'no-such-tool' });
    await eventually(() => inspector.call.getByRole('alert').innerText()).toContain('no-such-tool');
    expect(await inspector.button('Run').isDisabled()).toBe(true);
    await inspector.close();
  });
});

test('with the keyboard alone one gets from the tools over the call to an entry of the timeline', async () => {
  const inspector = await openInspector(browser, casement.url);
  const { keyboard } = inspector.page;
  const focused = inspector.page.locator(':focus');
  /** Tabs on until this has the focus; every stop on the way has to be one that can be seen. */
  const tabTo = async (name: string, limit = 30): Promise<void> => {
    for (let stops = 0; stops < limit; stops += 1) {
      const stop = await focused.evaluateAll(([one]) => ({
        name: one?.getAttribute('aria-label') ?? one?.getAttribute('aria-labelledby') ?? one?.textContent,
        isSeen: one?.checkVisibility() ?? true,
      }));
      expect(stop).toMatchObject({ isSeen: true });
      if (stop.name === name) return;
      await keyboard.press('Tab');
    }
    throw new Error(`the Tab key did not reach ${name}`);
  };

  await eventually(() => inspector.servers.getByRole('option').count()).toBe(3);
  await tabTo('servers-title');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await eventually(() => selected(inspector.servers)).toBe('debug 3 tools');
  await tabTo('Search tools');
  await keyboard.type('debug-tool');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await eventually(() => selected(inspector.tools)).toBe('debug-tool MCP App');
  await tabTo('Run', 60);
  await keyboard.press('Enter');
  await inspector.stage.reaches('ready');

  await tabTo('Timeline', 60);
  await keyboard.press('ArrowRight');
  await eventually(() => inspector.tab('Console').getAttribute('aria-selected')).toBe('true');
  await keyboard.press('ArrowRight');
  await eventually(() => inspector.tab('State').getAttribute('aria-selected')).toBe('true');
  await keyboard.press('ArrowLeft');
  await keyboard.press('ArrowLeft');
  await eventually(() => inspector.tab('Timeline').getAttribute('aria-selected')).toBe('true');
  await tabTo('Entries');
  await keyboard.press('Home');
  await eventually(() => inspector.entries.getByRole('option', { selected: true }).count()).toBe(1);
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  const detail = inspector.panel.getByRole('region', { name: 'Selected entry' });
  await eventually(() => detail.evaluate((element) => element === document.activeElement)).toBe(true);
  await keyboard.press('Escape');
  await eventually(() => detail.count()).toBe(0);
  await eventually(() => inspector.entries.evaluate((element) => element === document.activeElement)).toBe(
    true,
  );
  await inspector.close();
});

describe('in a window of 390 px', () => {
  let inspector: InspectorPage;
  beforeAll(async () => {
    inspector = await openInspector(browser, casement.url, {}, { width: 390, height: 844 });
  });
  afterAll(() => inspector?.close());

  const part = (name: string) =>
    inspector.page
      .getByRole('navigation', { name: 'Parts of the page' })
      .getByRole('button', { name, exact: true });
  const overflow = () =>
    inspector.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );

  test('one part of the page is shown at a time and none is wider than the window', async () => {
    await part('Tools').click();
    await eventually(() => inspector.servers.isVisible()).toBe(true);
    expect(await inspector.call.isVisible()).toBe(false);
    expect(await overflow()).toBe(0);
    await part('Inspect').click();
    await eventually(() => inspector.tab('Timeline').isVisible()).toBe(true);
    expect(await inspector.servers.isVisible()).toBe(false);
    expect(await overflow()).toBe(0);
    await part('App').click();
    await eventually(() => inspector.call.isVisible()).toBe(true);
    expect(await overflow()).toBe(0);
  });

  test('choosing a tool leads to its call, and its app fits the window', async () => {
    await part('Tools').click();
    await inspector.choose('react', 'get-time');
    await eventually(() => inspector.call.isVisible()).toBe(true);
    await inspector.button('Run').click();
    await inspector.stage.reaches('ready');
    const box = await inspector.page.locator(shownFrame).boundingBox();
    expect(box?.width).toBeGreaterThan(300);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    expect(await overflow()).toBe(0);
  });
});

test('nothing is asked of any other machine', async () => {
  const context = await browser.newContext();
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  const page = await context.newPage();
  await page.goto(casement.url);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await eventually(() => page.locator('#stage').getAttribute('data-app-status')).toBe('ready');
  for (const tab of ['State', 'Security', 'Timeline']) await page.getByRole('tab', { name: tab }).click();
  const hosts = asked
    .map((url) => new URL(url))
    .filter(({ protocol }) => /^(https?|wss?):$/.test(protocol))
    .map(({ hostname }) => hostname);
  expect(hosts.length).toBeGreaterThan(5);
  expect(hosts.filter((host) => !/(^|\.)localhost$/.test(host) && host !== '127.0.0.1')).toEqual([]);
  await context.close();
});
