import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readFaults } from '../support/axe.js';
import { eventually } from '../support/eventually.js';
import { appReaches, guestOf, say, settled, snapshotOf, useChat, type ChatPlan } from './support.js';
import { toApp } from '../support/guest.js';

const chat = useChat();

const tool = {
  name: 'map',
  html: toApp('await bridge.initialize();'),
  documentUi: { permissions: { camera: {}, geolocation: {} } },
};
const plan: ChatPlan = {
  servers: [
    { name: 'travel', tools: [tool] },
    { name: 'other', tools: [{ ...tool, name: 'plan' }] },
  ],
};
const look = { permissions: ['geolocation'], geolocation: { latitude: 46.9, longitude: 7.4 } };

const title = 'Let this app use your camera and your location?';
const question = (page: Page): Locator => page.getByRole('group', { name: title, exact: true });
const inForce = async (page: Page, id: string) => (await snapshotOf(page, id))?.policy?.effective.permissions;
const sessionOf = async (page: Page, id: string) => (await snapshotOf(page, id))?.session;
/** What the app gets when it asks the browser where the user is. */
const locate = async (page: Page, id: string): Promise<string> =>
  (await guestOf(page, id)).evaluate(
    () =>
      new Promise<string>((resolve) =>
        navigator.geolocation.getCurrentPosition(
          ({ coords }) => resolve(`at ${coords.latitude}`),
          ({ code }) => resolve(`refused ${code}`),
          { timeout: 2000 },
        ),
      ),
  );
/** Presses until it counts: an answer is taken half a second after the question came, and where it stands still. */
const answer = async (page: Page, name: string): Promise<void> => {
  await eventually(async () => {
    const button = question(page).first().getByRole('button', { name, exact: true });
    await button.click({ timeout: 1000 }).catch(() => undefined);
    return question(page).count();
  }).toBe(0);
};
const shows = async (page: Page, command: string, id: string): Promise<void> => {
  await say(page, command);
  await settled(page);
  await appReaches(page, id);
};

test('an app has nothing until the user says so; a no leaves it as it is', async () => {
  const page = await chat.open(plan, look);
  await shows(page, '/map {}', 'call_1');
  await question(page).waitFor();
  expect(await question(page).textContent()).toContain('The app map of travel runs without it now');
  await eventually(() => page.locator('.casement-unseen[role="status"]').innerText()).toContain(
    'map asks to use your camera and your location.',
  );
  expect(await inForce(page, 'call_1')).toEqual([]);
  expect(await locate(page, 'call_1')).toBe('refused 1');
  const session = await sessionOf(page, 'call_1');
  expect(await readFaults(page)).toEqual([]);
  await answer(page, 'Deny');
  expect(await sessionOf(page, 'call_1')).toBe(session);
  expect(await inForce(page, 'call_1')).toEqual([]);
  // The browser's own word about what the app tried.
  expect(chat.errors.filter((text) => !text.startsWith('Permissions policy violation'))).toEqual([]);
});

test('a yes shows the app anew with it, tells it its call again without calling, and holds once', async () => {
  const page = await chat.open(plan, look);
  await shows(page, '/map {"city": "Bern"}', 'call_1');
  const session = await sessionOf(page, 'call_1');
  await answer(page, 'Allow once');
  await eventually(() => sessionOf(page, 'call_1')).not.toBe(session);
  await eventually(() => inForce(page, 'call_1')).toEqual(['camera', 'geolocation']);
  await appReaches(page, 'call_1');
  // Told again: Chromium forgets a place that it heard of before a frame in another process asked for it.
  await page.context().setGeolocation(look.geolocation);
  await eventually(() => locate(page, 'call_1')).toBe('at 46.9');
  await eventually(async () =>
    (await guestOf(page, 'call_1')).evaluate(() => JSON.stringify(Reflect.get(window, 'bridge').received)),
  ).toContain('Bern');
  expect(await page.evaluate(() => window.chat.calls.length)).toBe(1);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');

  await shows(page, '/map {}', 'call_2');
  await question(page).waitFor();
  expect(await inForce(page, 'call_2')).toEqual([]);
  expect(await inForce(page, 'call_1')).toEqual(['camera', 'geolocation']);
});

test('always is for this app of this server, from its first moment', async () => {
  const page = await chat.open(plan, look);
  await shows(page, '/map {}', 'call_1');
  await answer(page, 'Always allow');
  await eventually(() => inForce(page, 'call_1')).toEqual(['camera', 'geolocation']);
  await shows(page, '/map {}', 'call_2');
  expect(await inForce(page, 'call_2')).toEqual(['camera', 'geolocation']);
  expect(await question(page).count()).toBe(0);
  await shows(page, '/plan {}', 'call_3');
  await question(page).waitFor();
  expect(await inForce(page, 'call_3')).toEqual([]);
});

test('a page that decides for all apps has nobody asked', async () => {
  const page = await chat.open({ ...plan, appOptions: { permissions: ['camera'] } }, look);
  await shows(page, '/map {}', 'call_1');
  expect(await inForce(page, 'call_1')).toEqual(['camera']);
  expect(await question(page).count()).toBe(0);
});

test('an app of the panel keeps its place through a yes, and its question is beside its tile', async () => {
  const item = {
    response_type: 'mcp_app',
    title: 'Map',
    mcp_app_id: 'map',
    server: 'travel',
    resource_uri: 'ui://travel/map',
    display_mode: 'pip',
  } as const;
  const page = await chat.open({ ...plan, items: [item] }, look);
  await page.getByRole('button', { name: 'Open Map' }).click();
  await appReaches(page, 'map');
  await page.getByRole('button', { name: 'Close Map' }).click();
  await question(page).waitFor();
  await page.getByRole('button', { name: 'Open Map' }).click();
  await answer(page, 'Allow once');
  await eventually(() => inForce(page, 'map')).toEqual(['camera', 'geolocation']);
  await appReaches(page, 'map');
  expect(await page.evaluate(() => window.chat.shell.getSnapshot().workspace.workspace_id)).toBe('map');
  expect((await snapshotOf(page, 'map'))?.displayMode).toBe('pip');
});
