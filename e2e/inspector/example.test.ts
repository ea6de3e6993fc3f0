import { beforeAll, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { toMessages } from '../support/recorded.js';
import { openStage, type Stage } from '../support/stage.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

let stage: Stage;

useCasement([]);

beforeAll(async () => {
  stage = await openStage(browser, casement.url);
  await stage.reaches('ready');
});

const shown = async (selector: string) => (await stage.app()).locator(selector).textContent();

test('without a server the example is connected, run and shown', async () => {
  expect(casement.servers).toEqual([expect.objectContaining({ status: 'ready' })]);
  const app = await stage.app();
  await app.waitForSelector('#dashboard[data-state="shown"]');
  expect(await shown('#place')).toMatch(/\p{L}{3,}/u);
  expect(await shown('#temperature')).toMatch(/-?\d+°C/);
  expect(await app.locator('#days li').count()).toBeGreaterThan(2);
});

verifies('S1-78', 'the page moved to its own name, where the app gets an origin of its own', async () => {
  expect(new URL(stage.page.url()).hostname).toBe('casement.localhost');
  const { address, fallback } = (await stage.snapshot()) ?? {};
  expect(fallback).toBeUndefined();
  const appOrigin = await (await stage.app()).evaluate(() => location.origin);
  expect(appOrigin).toBe(address?.appOrigin);
  expect(appOrigin).toMatch(/^http:\/\/[a-z2-7]{52}\.casement\.localhost:\d+$/);
});

test('refresh calls the server back and the app shows the next reading', async () => {
  const reading = async () => Number(/reading (\d+)/.exec((await shown('#observed')) ?? '')?.[1]);
  await eventually(reading).toBeGreaterThan(0);
  const before = await reading();
  await (await stage.app()).locator('#refresh').click();
  await eventually(reading).toBe(before + 1);
});

verifies(
  ['HOST-036', 'S4-11'],
  'the app-only tool fills the list of cities, and another city can be chosen',
  async () => {
    const app = await stage.app();
    await eventually(() => app.locator('#city option').count()).toBeGreaterThan(2);
    const calls = toMessages(await stage.recording()).filter(
      ({ leg, dir, method }) => leg === 'app' && dir === 'in' && method === 'tools/call',
    );
    expect(calls.map(({ params }) => params?.name)).toContain('list_cities');
    const current = await shown('#place');
    const names = await app.locator('#city option').allTextContents();
    const other = names.find((name) => name !== current) ?? '';
    await app.locator('#city').selectOption(other);
    await eventually(() => shown('#place')).toBe(other);
  },
);

test('the app follows both themes', async () => {
  const background = async () =>
    (await stage.app()).evaluate(() => {
      const probe = document.createElement('div');
      probe.style.color = 'CanvasText';
      document.body.append(probe);
      const colours = [getComputedStyle(probe).color, getComputedStyle(document.body).backgroundColor];
      probe.remove();
      return colours.join(' ');
    });
  await stage.setTheme('light');
  const lightAtFirst = await background();
  await stage.setTheme('dark');
  await eventually(background).not.toBe(lightAtFirst);
  await stage.setTheme('light');
  await eventually(background).toBe(lightAtFirst);
});

test('a deep link shows the city it names', async () => {
  const [{ name: server = '' } = {}] = casement.servers;
  const names = await (await stage.app()).locator('#city option').allTextContents();
  const city = names.at(-1) ?? '';
  const linked = await openStage(browser, casement.url, {
    server,
    tool: 'weather_dashboard',
    args: { city },
    run: true,
  });
  await linked.reaches('ready');
  const app = await linked.app();
  await app.waitForSelector('#dashboard[data-state="shown"]');
  expect(await app.locator('#place').textContent()).toBe(city);
  await linked.close();
});
