import type { McpAppItem } from '@casement/chat';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { toKeepingApp } from './fixtures.js';
import { appReaches, guestOf, received, snapshotOf, useChat } from './support.js';

const chat = useChat();

const uri = 'ui://demo/app';
const toItem = (id: string, more: Partial<McpAppItem> = {}): McpAppItem => ({
  response_type: 'mcp_app',
  mcp_app_id: id,
  title: `Title ${id}`,
  server: 'demo',
  resource_uri: uri,
  ...more,
});
const open = (
  items: readonly McpAppItem[],
  more: Parameters<typeof chat.open>[0] = {},
  html = toKeepingApp(),
) => chat.open({ servers: [{ name: 'demo', resources: { [uri]: html } }], items, ...more });

const around = (page: Page, id: string) => page.locator(`[data-mcp-app-id="${id}"]`);
const shown = (page: Page, id: string) => around(page, id).getAttribute('data-shown');
const wrapper = (page: Page, id: string) => around(page, id).locator('[data-display-mode]');
const boxOf = async (page: Page, id: string) => {
  const box = await wrapper(page, id).boundingBox();
  if (!box) throw new Error('The app has no box.');
  return box;
};
const head = (page: Page, id: string, name: string) =>
  wrapper(page, id).getByRole('button', { name, exact: true });
const openTile = (page: Page, id: string) => page.getByRole('button', { name: `Open Title ${id}` }).click();
const modeTold = async (page: Page, id: string) => (await snapshotOf(page, id))?.displayMode;
const announced = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Title' }).locator('p').allTextContents();

/** Puts something into the app that a reload would lose, and remembers which frame it is. */
const leaveTraces = async (page: Page, id: string): Promise<void> => {
  const guest = await guestOf(page, id);
  await guest.locator('#count').click();
  await guest.locator('#count').click();
  await guest.locator('#text').fill('half a sen');
  await guest.locator('#list').evaluate((list) => list.scrollTo(0, 120));
  await around(page, id)
    .locator('iframe')
    .evaluate((frame) => Object.assign(frame, { isTheSame: true }));
};
const readTraces = async (page: Page, id: string) => {
  const guest = await guestOf(page, id);
  return {
    count: await guest.locator('#count').textContent(),
    text: await guest.locator('#text').inputValue(),
    scrolled: await guest.locator('#list').evaluate((list) => list.scrollTop),
    isTheSame: await around(page, id)
      .locator('iframe')
      .evaluate((frame) => 'isTheSame' in frame),
    epoch: (await snapshotOf(page, id))?.epoch,
    session: (await snapshotOf(page, id))?.session,
  };
};

verifies(
  ['S5-21', 'S5-22', 'S5-23', 'S5-38', 'S5-39', 'S5-80', 'S5-10'],
  'an app keeps its counter, its text and where it is scrolled to through inline, panel, inline, workspace, inline',
  async () => {
    const page = await open([toItem('a')]);
    await guestOf(page, 'a');
    await leaveTraces(page, 'a');
    const before = await readTraces(page, 'a');
    expect(before).toMatchObject({ count: '2', text: 'half a sen', scrolled: 120, isTheSame: true });
    expect(await shown(page, 'a')).toBe('inline');

    await head(page, 'a', 'Expand').click();
    await eventually(() => shown(page, 'a')).toBe('fullscreen');
    expect(await boxOf(page, 'a')).toEqual({ x: 0, y: 0, width: 1440, height: 900 });
    // The panel's head is the item's title (S5-80).
    await page.getByRole('dialog', { name: 'Title a, app from demo' }).getByText('Title a').waitFor();
    expect(await readTraces(page, 'a')).toEqual(before);
    await head(page, 'a', 'Close').click();
    await eventually(() => shown(page, 'a')).toBe('inline');
    expect(await readTraces(page, 'a')).toEqual(before);

    await head(page, 'a', 'Open beside').click();
    await eventually(() => shown(page, 'a')).toBe('pip');
    const column = await page.locator('.casement-main').boundingBox();
    const box = await boxOf(page, 'a');
    expect(box.x).toBeGreaterThanOrEqual((column?.x ?? 0) + (column?.width ?? 0));
    expect(box.x + box.width).toBeLessThanOrEqual(1440);
    await page.getByRole('region', { name: 'Title a, app from demo' }).getByText('Title a').waitFor();
    await around(page, 'a').getByText('Viewing').waitFor();
    expect(await readTraces(page, 'a')).toEqual(before);
    await page.getByRole('button', { name: 'Close Title a' }).click();
    await eventually(() => shown(page, 'a')).toBe('inline');
    expect(await around(page, 'a').getByText('Viewing').count()).toBe(0);
    expect(await readTraces(page, 'a')).toEqual(before);
    expect(await received(page, 'a', 'ui/notifications/host-context-changed')).toEqual(
      expect.arrayContaining(
        ['fullscreen', 'inline', 'pip'].map((displayMode) => expect.objectContaining({ displayMode })),
      ),
    );
    expect(chat.errors).toEqual([]);
  },
);

let surrounded: Page | undefined;

/** A chat with an app that has something to lose; the tests of the surroundings follow each other in it. */
const openSurrounded = async (): Promise<Page> => {
  if (surrounded && !surrounded.isClosed()) return surrounded;
  surrounded = await open([toItem('a')]);
  await guestOf(surrounded, 'a');
  await leaveTraces(surrounded, 'a');
  return surrounded;
};

test.each([
  'transform: translate(20px, 10px)',
  'transform: scale(0.5)',
  'filter: saturate(0.9)',
  'contain: strict',
  'perspective: 400px',
  'will-change: transform',
  'container-type: size; overflow: hidden',
])('panel and workspace are right in a chat that stands in something with %s', async (style) => {
  const page = await openSurrounded();
  await page.locator('#root').evaluate((element, css) => {
    element.style.cssText = `width: 1200px; height: 700px; margin: 40px; ${css}`;
  }, style);
  const before = await readTraces(page, 'a');
  const near = (box: Awaited<ReturnType<typeof boxOf>> | null) =>
    box && Object.values(box).map((value) => Math.round(value));
  await head(page, 'a', 'Expand').click();
  await eventually(() => shown(page, 'a')).toBe('fullscreen');
  const whole = await page.locator('.casement-chat').boundingBox();
  await eventually(async () => near(await boxOf(page, 'a'))).toEqual(near(whole));
  await head(page, 'a', 'Close').click();
  await head(page, 'a', 'Open beside').click();
  await eventually(() => shown(page, 'a')).toBe('pip');
  const place = await page.locator('.casement-workspace-place').boundingBox();
  await eventually(async () => near(await boxOf(page, 'a'))).toEqual(near(place));
  await page.getByRole('button', { name: 'Close Title a' }).click();
  await eventually(() => shown(page, 'a')).toBe('inline');
  expect(await readTraces(page, 'a')).toEqual(before);
});

verifies(
  ['S5-24', 'S5-25', 'S5-30', 'S5-85'],
  'an item that asks for fullscreen is a tile; its app is made by a click, in the panel, and stays behind the tile',
  async () => {
    const page = await open([toItem('f', { display_mode: 'fullscreen' }), toItem('i')]);
    await appReaches(page, 'i');
    expect(await shown(page, 'f')).toBe('tile');
    expect(await around(page, 'f').locator('iframe').count()).toBe(0);
    expect(await around(page, 'i').locator('.casement-tile').count()).toBe(0);
    // Anywhere on the tile, which the button covers.
    await around(page, 'f').getByText('App from demo').click({ force: true });
    expect(await (await guestOf(page, 'f')).evaluate(() => Reflect.get(globalThis, 'welcome'))).toMatchObject(
      {
        hostContext: { displayMode: 'fullscreen', containerDimensions: { width: 1440 } },
      },
    );
    await eventually(() => boxOf(page, 'f')).toEqual({ x: 0, y: 0, width: 1440, height: 900 });
    expect(await around(page, 'f').getByText('Viewing').count()).toBe(1);
    await leaveTraces(page, 'f');
    const before = await readTraces(page, 'f');
    await head(page, 'f', 'Close').click();
    await eventually(() => shown(page, 'f')).toBe('tile');
    // Out of sight and out of reach, but never without a width.
    const place = around(page, 'f').locator('.casement-app-place');
    expect(
      await place.evaluate((element: HTMLElement) => ({
        inert: element.inert,
        clientHeight: element.clientHeight,
      })),
    ).toEqual({
      inert: true,
      clientHeight: 0,
    });
    expect((await boxOf(page, 'f')).width).toBeGreaterThan(600);
    await openTile(page, 'f');
    await eventually(() => shown(page, 'f')).toBe('fullscreen');
    expect(await readTraces(page, 'f')).toEqual(before);
    const told = await received(page, 'f', 'ui/notifications/host-context-changed');
    const widths = told.map(
      (change) => (change as { containerDimensions?: { width?: number } }).containerDimensions?.width,
    );
    expect(widths.filter((width) => width === 0)).toEqual([]);
    expect(await page.evaluate(() => window.chat.told)).toEqual([
      'did-open panel f',
      'did-close panel f',
      'did-open panel f',
    ]);
  },
);

verifies(
  ['S5-86', 'S5-23', 'S1-47'],
  'an item that asks for pip opens in the workspace, and the next one takes its place',
  async () => {
    const page = await open([toItem('p', { display_mode: 'pip' }), toItem('q', { display_mode: 'pip' })]);
    await openTile(page, 'p');
    await guestOf(page, 'p');
    await leaveTraces(page, 'p');
    const before = await readTraces(page, 'p');
    const place = await page.locator('.casement-workspace-place').boundingBox();
    await eventually(() => boxOf(page, 'p')).toEqual(place);
    await openTile(page, 'q');
    await guestOf(page, 'q');
    await eventually(() => boxOf(page, 'q')).toEqual(place);
    expect(await shown(page, 'p')).toBe('tile');
    expect(await around(page, 'p').getByText('Viewing').count()).toBe(0);
    expect(await around(page, 'q').getByText('Viewing').count()).toBe(1);
    expect(await page.evaluate(() => window.chat.shell.getSnapshot().workspace)).toMatchObject({
      is_open: true,
      workspace_id: 'q',
    });
    expect(await modeTold(page, 'p')).toBe('inline');
    // The other way round in the list: the earlier frame over the later one's place.
    await openTile(page, 'p');
    await eventually(() => boxOf(page, 'p')).toEqual(place);
    await eventually(() => modeTold(page, 'q')).toBe('inline');
    expect(await modeTold(page, 'p')).toBe('pip');
    expect(await readTraces(page, 'p')).toEqual(before);
    expect(await page.evaluate(() => window.chat.told)).toEqual([
      'did-open workspace p',
      'did-close workspace p',
      'did-open workspace q',
      'did-close workspace q',
      'did-open workspace p',
    ]);
    expect(await announced(page)).toEqual([
      'Title p opened in the workspace.',
      'Title q opened in the workspace.',
      'Title p opened in the workspace.',
    ]);
  },
);

verifies(
  ['S5-27'],
  'without space beside the thread the workspace lies over it and leaves the composer free; with space again it moves back',
  async () => {
    const page = await open([toItem('p', { display_mode: 'pip' })]);
    await openTile(page, 'p');
    await leaveTraces(page, 'p');
    const before = await readTraces(page, 'p');
    await page.setViewportSize({ width: 390, height: 844 });
    const scroll = page.locator('.casement-scroll');
    await eventually(async () => (await boxOf(page, 'p')).x).toBeLessThan(20);
    const [box, thread] = [await boxOf(page, 'p'), await scroll.boundingBox()];
    expect(thread && box.y >= thread.y && box.y + box.height <= thread.y + thread.height).toBe(true);
    expect(box.width).toBeGreaterThan(350);
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.click();
    await field.fill('still in reach');
    expect(await modeTold(page, 'p')).toBe('pip');
    expect(await page.locator('.casement-workspace').isVisible()).toBe(false);
    expect(await readTraces(page, 'p')).toEqual(before);
    await page.setViewportSize({ width: 1440, height: 900 });
    const place = page.locator('.casement-workspace-place');
    // The page takes a moment to lay it beside the thread.
    const isInPlace = async (): Promise<boolean> => {
      const [box, room] = [await boxOf(page, 'p'), await place.boundingBox()];
      return room !== null && JSON.stringify(box) === JSON.stringify(room);
    };
    await eventually(isInPlace).toBe(true);
    expect(await readTraces(page, 'p')).toEqual(before);
    expect(await page.evaluate(() => window.chat.told)).toEqual(['did-open workspace p']);
  },
);

verifies(
  ['S5-26'],
  'an app that does not list the mode its item asks for is in its message, as any inline app',
  async () => {
    const page = await open(
      [toItem('f', { display_mode: 'fullscreen' })],
      {},
      toKeepingApp(['inline', 'pip']),
    );
    await openTile(page, 'f');
    await appReaches(page, 'f');
    await eventually(() => shown(page, 'f')).toBe('inline');
    expect(await around(page, 'f').locator('.casement-tile').count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect((await boxOf(page, 'f')).width).toBeLessThan(1000);
    const guest = await guestOf(page, 'f');
    await guest.locator('[data-mode="fullscreen"]').click();
    await eventually(() => guest.locator('#answer').textContent()).toBe('inline');
    // What it does list it gets.
    await guest.locator('[data-mode="pip"]').click();
    await eventually(() => guest.locator('#answer').textContent()).toBe('pip');
    expect(await shown(page, 'f')).toBe('pip');
  },
);

test('a listener of the shell can keep an app where it is: the user and the app are told no', async () => {
  const page = await open([toItem('i'), toItem('p', { display_mode: 'pip' })]);
  await page.evaluate(() => window.chat.shell.on('before-open', (event) => event.preventDefault()));
  const guest = await guestOf(page, 'i');
  for (const mode of ['fullscreen', 'pip']) {
    await guest.locator(`[data-mode="${mode}"]`).click();
    await eventually(() => guest.locator('#answer').textContent()).toBe('inline');
    await guest.locator('#answer').evaluate((answer) => answer.replaceChildren());
  }
  await head(page, 'i', 'Expand').click();
  await openTile(page, 'p');
  expect(await shown(page, 'i')).toBe('inline');
  expect(await shown(page, 'p')).toBe('tile');
  expect(await around(page, 'p').locator('iframe').count()).toBe(0);
  expect(await modeTold(page, 'i')).toBe('inline');
  expect(await page.evaluate(() => window.chat.told)).toEqual([]);
});

test('an app in the workspace can go on to the panel, over everything, and straight back to its message', async () => {
  const page = await open([toItem('i'), toItem('later', { display_mode: 'pip' })]);
  await guestOf(page, 'i');
  await leaveTraces(page, 'i');
  const before = await readTraces(page, 'i');
  await openTile(page, 'later');
  await appReaches(page, 'later');
  // Its frame is after the other one's in the page, and must not shine through.
  const guest = await guestOf(page, 'i');
  await guest.locator('[data-mode="fullscreen"]').click();
  await eventually(() => shown(page, 'i')).toBe('fullscreen');
  const inFront = await page.evaluate(() => {
    const element = document.elementFromPoint(1200, 400);
    return element?.closest('[data-mcp-app-id]')?.getAttribute('data-mcp-app-id');
  });
  expect(inFront).toBe('i');
  await guest.locator('[data-mode="pip"]').click();
  await eventually(() => shown(page, 'i')).toBe('pip');
  expect(await shown(page, 'later')).toBe('tile');
  await guest.locator('[data-mode="fullscreen"]').click();
  await eventually(() => shown(page, 'i')).toBe('fullscreen');
  await guest.locator('[data-mode="inline"]').click();
  await eventually(() => shown(page, 'i')).toBe('inline');
  expect(await readTraces(page, 'i')).toEqual(before);
});

verifies(
  ['S5-77', 'S5-89', 'S5-90'],
  'theme, width and place reach a running app as its context, in the same frame and document',
  async () => {
    const page = await open([toItem('i'), toItem('f', { display_mode: 'fullscreen' })]);
    const guest = await guestOf(page, 'i');
    const welcome = await guest.evaluate(() => Reflect.get(globalThis, 'welcome'));
    expect(welcome).toMatchObject({
      hostContext: {
        theme: 'light',
        platform: 'web',
        displayMode: 'inline',
        locale: expect.any(String),
        timeZone: expect.any(String),
        containerDimensions: { width: expect.any(Number), maxHeight: expect.any(Number) },
        availableDisplayModes: ['inline', 'fullscreen', 'pip'],
      },
    });
    await leaveTraces(page, 'i');
    const before = await readTraces(page, 'i');
    const changes = () => received(page, 'i', 'ui/notifications/host-context-changed');
    await page.evaluate(() => document.documentElement.style.setProperty('color-scheme', 'dark'));
    await eventually(changes).toContainEqual(expect.objectContaining({ theme: 'dark' }));
    await page.setViewportSize({ width: 600, height: 800 });
    const { width } = await boxOf(page, 'i');
    expect(width).toBeLessThan(600);
    await eventually(changes).toContainEqual(
      expect.objectContaining({ containerDimensions: expect.objectContaining({ width }) }),
    );
    await openTile(page, 'f');
    const second = await (await guestOf(page, 'f')).evaluate(() => Reflect.get(globalThis, 'welcome'));
    expect(second).toMatchObject({ hostContext: { theme: 'dark', displayMode: 'fullscreen' } });
    expect(await readTraces(page, 'i')).toEqual(before);
  },
);

test('the panel is as large as the chat, wherever in the page the chat is', async () => {
  const page = await open([
    toItem('f', { display_mode: 'fullscreen' }),
    toItem('p', { display_mode: 'pip' }),
  ]);
  const place = { x: 200, y: 60, width: 900, height: 600 };
  const put = ({ x, y, width, height }: typeof place) =>
    page.evaluate((css) => {
      const root = document.querySelector<HTMLElement>('#root');
      root?.setAttribute('style', css);
    }, `position:absolute;left:${x}px;top:${y}px;width:${width}px;height:${height}px`);
  await put(place);
  await openTile(page, 'f');
  await appReaches(page, 'f');
  await eventually(() => boxOf(page, 'f')).toEqual(place);
  const wider = { ...place, width: 1000 };
  await put(wider);
  await eventually(() => boxOf(page, 'f')).toEqual(wider);
  // The page around it scrolls.
  await page.evaluate(() => document.body.style.setProperty('height', '3000px'));
  await page.evaluate(() => window.scrollTo(0, 50));
  await eventually(() => boxOf(page, 'f')).toEqual({ ...wider, y: 10 });
});

test('the reader finds the thread where it was when the panel closes', async () => {
  const messages = Array.from({ length: 12 }, (_, index) => ({
    id: `m${index}`,
    role: 'user' as const,
    parts: [{ type: 'text' as const, text: `Message ${index}. `.repeat(40) }],
  }));
  const page = await open([toItem('i')], { messages });
  await guestOf(page, 'i');
  const thread = page.locator('.casement-scroll');
  const readScroll = () => thread.evaluate(({ scrollTop }) => scrollTop);
  await eventually(() => head(page, 'i', 'Expand').isVisible()).toBe(true);
  await thread.evaluate((area) => area.scrollTo(0, area.scrollHeight - area.clientHeight - 60));
  const before = await readScroll();
  await head(page, 'i', 'Expand').click();
  await eventually(() => shown(page, 'i')).toBe('fullscreen');
  await head(page, 'i', 'Close').click();
  await eventually(() => shown(page, 'i')).toBe('inline');
  await eventually(readScroll).toBe(before);
});

test('in a narrow chat of a wide page an app of the workspace stays within the chat, also under the panel', async () => {
  const page = await open([
    toItem('f', { display_mode: 'fullscreen' }),
    toItem('p', { display_mode: 'pip' }),
  ]);
  await page.evaluate(() =>
    document.querySelector('#root')?.setAttribute('style', 'position:absolute;left:100px;width:500px'),
  );
  await openTile(page, 'p');
  await appReaches(page, 'p');
  const isWithin = async () => {
    const { x, width } = await boxOf(page, 'p');
    return x >= 100 && x + width <= 600;
  };
  await eventually(isWithin).toBe(true);
  await page.evaluate(() => {
    const [item] = window.chat.conversation
      .getSnapshot()
      .messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'mcp-app' ? [part.item] : [])));
    if (item) window.chat.shell.show(item);
  });
  await appReaches(page, 'f');
  await eventually(async () => (await boxOf(page, 'f')).width).toBe(500);
  expect(await isWithin()).toBe(true);
  await head(page, 'f', 'Close').click();
  await eventually(() => shown(page, 'f')).toBe('tile');
  expect(await isWithin()).toBe(true);
});
