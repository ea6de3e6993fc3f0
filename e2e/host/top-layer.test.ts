import { expect, test } from 'vitest';
import { toKeepingApp } from '../chat/fixtures.js';
import { eventually } from '../support/eventually.js';
import { page, useHostPage, world } from './fixture.js';
import { armed, focused } from './question-support.js';
import { guestOf, modeOf, show } from './support.js';
import { quietApp, toApp } from '../support/guest.js';

type Mode = 'inline' | 'fullscreen' | 'pip';

const displayModes = ['inline', 'fullscreen', 'pip'];
const viewport = { width: 1000, height: 700 };

useHostPage(viewport);

const setMode = (mode: Mode, index = 0): Promise<void> =>
  page.evaluate(([next, at]) => window.hostApps[at]?.app.setDisplayMode(next), [mode, index] as const);
const wrapper = (index = 0) => page.locator('[data-display-mode]').nth(index);
const boxOf = async (index = 0) => {
  const box = await wrapper(index).boundingBox();
  return box && { x: box.x, y: box.y, width: box.width, height: box.height };
};
/** Which app, or what else, the pointer meets in the middle of the screen. */
const met = () =>
  page.evaluate(() => {
    const element = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    const index = window.hostApps.findIndex(({ container }) => container.contains(element));
    return index >= 0 ? `app ${index}` : (element?.id ?? '');
  });

/** Puts something into the app that a reload would lose, and remembers which frame it is. */
const leaveTraces = async (): Promise<void> => {
  const guest = await guestOf(page);
  await guest.locator('#count').click();
  await guest.locator('#text').fill('half a sen');
  await guest.locator('#list').evaluate((list) => list.scrollTo(0, 120));
  await page.locator('iframe').evaluate((frame) => Object.assign(frame, { isTheSame: true }));
};
const readTraces = async () => {
  const guest = await guestOf(page);
  const session = await page.evaluate(() => {
    const { session: id, epoch, status } = window.hostApps[0]?.app.getSnapshot() ?? {};
    return { id, epoch, status };
  });
  return {
    ...session,
    count: await guest.locator('#count').textContent(),
    text: await guest.locator('#text').inputValue(),
    scrolled: await guest.locator('#list').evaluate((list) => list.scrollTop),
    isTheSame: await page.locator('iframe').evaluate((frame) => 'isTheSame' in frame),
  };
};

/** Each makes a fixed element inside it small, cuts it off, hides it or puts it under something else. */
const ancestors = [
  'transform: translateX(10px)',
  'transform: scale(0.5) rotate(3deg)',
  'scale: 0.5',
  'filter: saturate(0.9)',
  'backdrop-filter: blur(2px)',
  'contain: paint',
  'contain: strict; height: 500px',
  'perspective: 500px',
  'will-change: transform',
  'will-change: filter',
  'content-visibility: auto',
  'container-type: inline-size; overflow: hidden',
  'overflow: hidden; height: 20px; transform: translateZ(0)',
  'opacity: 0.01',
  'clip-path: inset(0 90% 90% 0)',
  'position: relative; z-index: 0',
] as const;

const readLook = () =>
  page.evaluate(() => {
    const frame = document.querySelector('iframe');
    const { width = 0, height = 0, bottom = 0 } = frame?.getBoundingClientRect() ?? {};
    return {
      width,
      height,
      bottom,
      dimensions: window.hostApps[0]?.app.getSnapshot().hostContext.containerDimensions,
    };
  });

test('an app covers the page and floats below any ancestor, and keeps counter, text, scroll and session', async () => {
  await show(page, { html: toKeepingApp(), base: world.base, options: { displayModes } });
  await leaveTraces();
  const before = await readTraces();
  expect(before).toMatchObject({ count: '1', text: 'half a sen', scrolled: 120, isTheSame: true });
  // Something of the page with a layer of its own, over the one of the app's ancestor.
  await page.evaluate(() => {
    const bar = document.body.appendChild(document.createElement('div'));
    bar.id = 'bar';
    bar.style.cssText = 'position: fixed; inset: 45% 0; z-index: 9; height: 70px; background: tan';
  });
  for (const style of ancestors) {
    await page.evaluate((css) => {
      const { container } = window.hostApps[0] ?? {};
      if (container) container.style.cssText = `width: 600px; ${css}`;
    }, style);
    await setMode('fullscreen');
    expect(await boxOf(), style).toEqual({ x: 0, y: 0, ...viewport });
    expect(await met(), style).toBe('app 0');
    const { width, height, bottom, dimensions } = await readLook();
    expect({ width, bottom }, style).toEqual({ width: viewport.width, bottom: viewport.height });
    // What the app is told is what it has, at once.
    expect(dimensions, style).toEqual({ width, height });
    expect(await readTraces(), style).toEqual(before);
    await setMode('inline');
    expect(await met(), style).toBe('bar');
    expect(await readTraces(), style).toEqual(before);
    await setMode('pip');
    await eventually(async () => (await boxOf())?.y).toBe(16);
    expect(await boxOf(), style).toEqual({ x: viewport.width - 416, y: 16, width: 400, height: 320 });
    expect(await readTraces(), style).toEqual(before);
    await setMode('inline');
    expect(await readTraces(), style).toEqual(before);
    expect(await wrapper().getAttribute('popover'), style).toBe(null);
  }
}, 120_000);

test('an app in a shadow root comes out above its page', async () => {
  await show(page, { html: quietApp, base: world.base, options: { displayModes }, inShadow: true });
  await page.evaluate(() => {
    const { container } = window.hostApps[0] ?? {};
    if (container) container.style.cssText = 'width: 300px; transform: rotate(2deg)';
  });
  await setMode('fullscreen');
  expect(await boxOf()).toEqual({ x: 0, y: 0, ...viewport });
});

test('an app inside a dialog of the page comes out above it, and Escape leaves only fullscreen', async () => {
  await page.evaluate(() => {
    const dialog = document.body.appendChild(document.createElement('dialog'));
    dialog.showModal();
    document.body.append = (...nodes) => dialog.append(...nodes);
  });
  await show(page, { html: quietApp, base: world.base, options: { displayModes } });
  await setMode('fullscreen');
  expect(await boxOf()).toEqual({ x: 0, y: 0, ...viewport });
  expect(await met()).toBe('app 0');
  await page.keyboard.press('Escape');
  expect(await modeOf(page)).toBe('inline');
  expect(await page.evaluate(() => document.querySelector('dialog')?.open)).toBe(true);
});

test('a card of an app inside a popover of the page can be pressed without closing that', async () => {
  await page.evaluate(() => {
    const popover = document.body.appendChild(document.createElement('div'));
    popover.id = 'menu';
    popover.popover = 'auto';
    popover.showPopover();
    document.body.append = (...nodes) => popover.append(...nodes);
  });
  await show(page, { html: quietApp, base: world.base, options: { displayModes } });
  await setMode('pip');
  await eventually(async () => (await boxOf())?.x).toBe(viewport.width - 416);
  await wrapper().click({ position: { x: 60, y: 10 } });
  expect(await page.evaluate(() => document.querySelector('#menu')?.matches(':popover-open'))).toBe(true);
});

test('what covers the page covers a card too, whichever came first', async () => {
  const plan = { html: quietApp, base: world.base, options: { displayModes } };
  await show(page, plan);
  await show(page, plan);
  await page.evaluate(() => {
    for (const { container } of window.hostApps) container.style.transform = 'translateX(1px)';
  });
  const inCard = () =>
    page.evaluate(() => {
      const element = document.elementFromPoint(innerWidth - 200, 200);
      return window.hostApps.findIndex(({ container }) => container.contains(element));
    });
  await setMode('pip', 0);
  await eventually(inCard).toBe(0);
  await setMode('fullscreen', 1);
  expect(await inCard()).toBe(1);
  await setMode('inline', 0);
  await setMode('pip', 0);
  expect(await inCard()).toBe(1);
  await setMode('inline', 1);
  expect(await inCard()).toBe(0);
});

const askingApp = toApp(`await bridge.initialize();
  globalThis.ask = () => void bridge.request('ui/open-link', { url: 'https://example.com/' });`);
const askFrom = async () =>
  (await guestOf(page)).evaluate(() => (globalThis as unknown as { ask(): void }).ask());
const withDialogs = () =>
  page.evaluate(() => {
    const { onOpenLink } = window.hostModule.createConsentDialogs();
    window.hostHeld.onOpenLink = onOpenLink;
  });
const showAsking = async () => {
  await withDialogs();
  await page.evaluate(
    ([html, base]) =>
      window.showApp({
        html,
        base,
        options: { displayModes: ['inline', 'fullscreen', 'pip'], onOpenLink: window.hostHeld.onOpenLink },
      }),
    [askingApp, world.base] as const,
  );
  await eventually(() => page.evaluate(() => window.hostApps[0]?.app.getSnapshot().status)).toBe('ready');
};
const cancel = () => page.getByRole('button', { name: 'Cancel' });

test('a question is above an app that covers the page, and keeps the keyboard', async () => {
  await showAsking();
  await setMode('fullscreen');
  await askFrom();
  await cancel().waitFor();
  expect(await met()).not.toBe('app 0');
  expect(await focused()).toBe('Cancel');
  await armed();
  // A press that does not reach the button is an error here.
  await cancel().click();
  await eventually(() => cancel().count()).toBe(0);
  expect(await met()).toBe('app 0');
  expect(await modeOf(page)).toBe('fullscreen');
});

test.each(['of the host', 'of the page', 'in a shadow root of the page'])(
  'an app that goes fullscreen behind a dialog %s does not cover it, and comes out above the page when it closes',
  async (whose) => {
    await showAsking();
    await page.evaluate(() => {
      const { container } = window.hostApps[0] ?? {};
      if (container) container.style.transform = 'translateX(1px)';
    });
    if (whose === 'of the host') await askFrom();
    else
      await page.evaluate((isInShadow) => {
        const host = document.body.appendChild(document.createElement('div'));
        const dialog = document.createElement('dialog');
        const button = dialog.appendChild(document.createElement('button'));
        button.textContent = 'Cancel';
        button.onclick = () => dialog.close();
        dialog.addEventListener('close', () => host.remove());
        (isInShadow ? host.attachShadow({ mode: 'open' }) : host).append(dialog);
        dialog.showModal();
      }, whose.startsWith('in'));
    await cancel().waitFor();
    await setMode('fullscreen');
    const isOnTop = () => wrapper().evaluate((element) => element.matches(':popover-open'));
    expect(await isOnTop()).toBe(false);
    await cancel().focus();
    await page.keyboard.press('Escape');
    await eventually(() => cancel().count()).toBe(0);
    await eventually(isOnTop).toBe(true);
    expect(await boxOf()).toEqual({ x: 0, y: 0, ...viewport });
    expect(await modeOf(page)).toBe('fullscreen');
  },
);

test.each(['role="alertdialog"', 'data-mcp-question'])(
  'an app that changes its mode does not come above a question in a popover of the page (%s)',
  async (mark) => {
    await show(page, { html: quietApp, base: world.base, options: { displayModes } });
    await setMode('pip');
    await page.evaluate((attribute) => {
      document.body.insertAdjacentHTML(
        'beforeend',
        `<div id="question" popover="manual" ${attribute} style="inset: 30%; margin: 0; width: auto; height: auto">Delete all?</div>`,
      );
      document.querySelector<HTMLElement>('#question')?.showPopover();
    }, mark);
    for (const mode of ['fullscreen', 'inline', 'pip', 'fullscreen'] as const) {
      await setMode(mode);
      expect([mode, await met()]).toEqual([mode, 'question']);
    }
    await page.evaluate(() => document.querySelector<HTMLElement>('#question')?.hidePopover());
    const isOnTop = () => wrapper().evaluate((element) => element.matches(':popover-open'));
    await eventually(isOnTop).toBe(true);
    expect(await met()).toBe('app 0');
  },
);

test('an app for which the page has a place of its own stays a part of the page', async () => {
  await show(page, { html: quietApp, base: world.base, options: { displayModes } });
  await page.evaluate(() =>
    document.body.style.setProperty('--mcp-app-fullscreen-inset', '50px 60px 70px 80px'),
  );
  await setMode('fullscreen');
  const isOnTop = () => wrapper().evaluate((element) => element.matches(':popover-open'));
  expect(await isOnTop()).toBe(false);
  expect(await boxOf()).toEqual({ x: 80, y: 50, width: 860, height: 580 });
  // The place goes while the app is in it.
  await page.evaluate(() => document.body.style.removeProperty('--mcp-app-fullscreen-inset'));
  await eventually(isOnTop).toBe(true);
  await page.evaluate(() => document.body.style.setProperty('--mcp-app-fullscreen-inset', '10px'));
  await eventually(isOnTop).toBe(false);
});

test('a browser without popovers lays the app over the page as before', async () => {
  await page.evaluate(() => {
    Reflect.deleteProperty(HTMLElement.prototype, 'showPopover');
    Reflect.deleteProperty(HTMLElement.prototype, 'popover');
  });
  await show(page, { html: quietApp, base: world.base, options: { displayModes } });
  await setMode('fullscreen');
  expect(await boxOf()).toEqual({ x: 0, y: 0, ...viewport });
  expect(await wrapper().getAttribute('popover')).toBe(null);
  await setMode('inline');
  expect(await modeOf(page)).toBe('inline');
});
