import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { guestIn, quietApp, toApp } from '../../support/guest.js';
import { page, useHostPage, world } from '../fixture.js';
import type { AppPlan } from '../support.js';
import {
  fill,
  guestAt,
  isEvicted,
  lifecycleOf,
  maxFrames,
  noteOf,
  readLineTops,
  scrollTo,
  statusesOf,
  statusOf,
  visit,
  visitAll,
} from './support.js';

useHostPage();

const toPlan = (maxLiveApps: number, plan: Partial<AppPlan> = {}): AppPlan => ({
  html: quietApp,
  base: world.base,
  ...plan,
  options: { limits: { maxLiveApps }, ...plan.options },
});
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
/** So far apart that no app is near another. */
const far = 2500;
/** Acts in an app; the keyboard goes elsewhere. */
const click = async (index: number): Promise<void> => {
  await (await guestAt(page, index)).click('#shown');
  await page.evaluate((at) => document.querySelector<HTMLElement>(`#app-${at} iframe`)?.blur(), index);
};

test('of 40 apps those near what is seen are mounted; twelve live at most, and each comes back', async () => {
  const html = toApp(`
    await bridge.initialize();
    bridge.notify('ui/notifications/size-changed', { height: 300 });`);
  const options = { inlineHeight: { initial: 300 } };
  await fill(
    page,
    upTo(40).map(() => ({ html, base: world.base, options })),
  );
  await visit(page, 0);
  expect((await statusesOf(page)).slice(10)).toEqual(Array(30).fill('idle'));
  await visitAll(
    page,
    upTo(20).map((index) => index * 2),
  );
  await visitAll(page, [30, 20, 10, 0]);
  expect(await maxFrames(page)).toBeLessThanOrEqual(12);
  expect(await statusesOf(page)).toContain('evicted');
  const steps = await lifecycleOf(page, 0);
  expect(steps.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['evicted', 'view-read', 'teardown', 'torn-down', 'restored']),
  );
  expect(steps).toContainEqual(
    expect.objectContaining({ type: 'evicted', reason: 'More than 12 apps would live.', loses: false }),
  );
});

test('nothing the reader sees moves while apps above and below go and come back', async () => {
  // Without the help of the browser, which not every one gives.
  await page.addStyleTag({ content: 'html { overflow-anchor: none }' });
  // As it starts it is small; its data makes it tall.
  const html = toApp(`
    await bridge.initialize();
    bridge.notify('ui/notifications/size-changed', { height: 80 });
    setTimeout(() => bridge.notify('ui/notifications/size-changed', { height: 620 }), 200);`);
  await fill(
    page,
    upTo(12).map(() => toPlan(4, { html })),
  );
  const heightOf = (index: number): Promise<number> =>
    page.locator(`#app-${index} iframe`).evaluate((frame) => frame.clientHeight);
  for (const index of upTo(12)) {
    await visit(page, index);
    await eventually(() => heightOf(index)).toBe(620);
  }
  await isEvicted(page, 4);
  await scrollTo(page, 5);
  const tops = await readLineTops(page, 5, async () => {
    await eventually(() => statusOf(page, 5)).toBe('ready');
    await eventually(() => statusOf(page, 4)).toBe('ready');
    // Its place is held for a while after it is ready; the app is as tall as before by then.
    await eventually(() => heightOf(4)).toBe(620);
    await eventually(() =>
      page.locator('#app-4 > div').evaluate((wrapper: HTMLElement) => wrapper.style.minHeight),
    ).toBe('');
  });
  expect(tops.length).toBeGreaterThan(5);
  expect(new Set(tops).size, tops.join()).toBe(1);
});

describe('who makes room', () => {
  test('an app the user acted in goes after the others, and after those that keep something', async () => {
    const keeping = toApp(`localStorage.setItem('kept', 'yes'); await bridge.initialize();`);
    await fill(
      page,
      [toPlan(2), toPlan(2, { html: keeping, server: 'keeper' }), toPlan(2), toPlan(2), toPlan(2)],
      far,
    );
    await visit(page, 0);
    await click(0);
    await visit(page, 2);
    await visit(page, 1);
    // Nobody acted in 2, which was seen later than 0.
    await isEvicted(page, 2);
    expect(await statusOf(page, 0)).toBe('ready');
    await click(1);
    await visit(page, 3);
    // Of those that the user acted in, 1 was seen later, but it keeps something.
    await isEvicted(page, 1);
    expect(await lifecycleOf(page, 1)).toContainEqual(
      expect.objectContaining({ type: 'evicted', loses: false }),
    );
    expect(await noteOf(page, 1)).toBeUndefined();
    await click(3);
    await visit(page, 4);
    await isEvicted(page, 0);
    expect(await page.evaluate(() => window.hostApps[0]?.app.getSnapshot().eviction)).toEqual({
      reason: 'More than 2 apps would live.',
      loses: true,
    });
    expect(await noteOf(page, 0)).toContain('What you typed and where you scrolled comes back');
    expect(await noteOf(page, 0)).toContain('the rest starts anew');
    await visit(page, 0);
    expect(await noteOf(page, 0)).toBeUndefined();
    expect(await maxFrames(page)).toBeLessThanOrEqual(2);
  });

  test('what has the keyboard, floats, or is always there stays', async () => {
    const limits = { maxLiveApps: 3 };
    const floating = { displayModes: ['inline', 'pip'], limits };
    await fill(
      page,
      [
        toPlan(3, { options: floating }),
        toPlan(3, { options: { presence: 'always', limits } }),
        toPlan(3),
        toPlan(3),
      ],
      far,
    );
    await visit(page, 0);
    await page.evaluate(() => window.hostApps[0]?.app.setDisplayMode('pip'));
    await eventually(() => statusOf(page, 1)).toBe('ready');
    await visit(page, 2);
    await (await guestAt(page, 2)).click('input');
    await scrollTo(page, 3);
    await eventually(() => noteOf(page, 3)).toContain('3 apps are running');
    expect(await statusesOf(page)).toEqual(['ready', 'ready', 'ready', 'idle']);
    // Somewhere else it can go.
    await page.evaluate(() => document.querySelector<HTMLElement>('#app-2 iframe')?.blur());
    await eventually(() => statusesOf(page)).toEqual(['ready', 'ready', 'evicted', 'ready']);
  });

  test('an app with a call or a question under way stays until that is over', async () => {
    const calling = toApp(`
      await bridge.initialize();
      document.body.appendChild(document.createElement('button')).onclick = () =>
        bridge.request('ui/open-link', { url: 'https://crowd.example/' });`);
    // A question cannot travel into the page, so the asking app is mounted there, in a place of its own at the top.
    await page.evaluate(
      (plan) => {
        const onOpenLink = () => new Promise<boolean>((resolve) => (window.hostHeld.answer = resolve));
        window.showApp({ ...plan, options: { ...plan.options, onOpenLink } });
        window.hostApps[0]?.container.setAttribute('id', 'asking');
      },
      toPlan(1, { html: calling }),
    );
    await eventually(() => statusOf(page, 0)).toBe('ready');
    await (await guestIn(page.locator('#asking iframe'))).click('button');
    await page.evaluate(() => document.querySelector('iframe')?.blur());
    await fill(page, [toPlan(1)], far);
    await scrollTo(page, 0);
    await eventually(() => noteOf(page, 0)).toContain('1 apps are running');
    expect(await statusesOf(page)).toEqual(['ready', 'idle']);
    // It was put there above.
    await page.evaluate(() => (window.hostHeld.answer as (isAllowed: boolean) => void)(false));
    await eventually(() => statusesOf(page)).toEqual(['evicted', 'ready']);
    expect(await maxFrames(page)).toBe(1);
  });

  test('where more are in sight than may live, the user chooses', async () => {
    const options = { inlineHeight: { initial: 100 }, limits: { maxLiveApps: 2 } };
    await fill(
      page,
      upTo(3).map(() => toPlan(2, { options })),
    );
    await eventually(() => statusesOf(page)).toEqual(['ready', 'ready', 'idle']);
    await eventually(() => noteOf(page, 2)).toContain('2 apps are running on this page, so this one is not.');
    await page.getByRole('button', { name: 'Show it in place of another' }).click();
    await eventually(() => statusOf(page, 2)).toBe('ready');
    expect((await statusesOf(page)).filter((status) => status === 'ready')).toHaveLength(2);
    expect(await maxFrames(page)).toBe(2);
  });

  test('an app that never answers the teardown makes room all the same', async () => {
    const deaf = toApp(`
      bridge.answers['ui/resource-teardown'] = () => undefined;
      await bridge.initialize();`);
    await fill(page, [toPlan(1, { html: deaf }), toPlan(1)], far);
    await visitAll(page, [0, 1, 0]);
    expect(await lifecycleOf(page, 0)).toContainEqual({ type: 'teardown', outcome: 'unanswered' });
    expect(await maxFrames(page)).toBe(1);
  });
});

describe('when an app is mounted', () => {
  test('in an area that scrolls it is mounted when it comes near there', async () => {
    await page.evaluate(() => {
      const area = document.body.appendChild(document.createElement('div'));
      area.id = 'area';
      area.style.cssText = 'height: 300px; overflow: auto';
    });
    await fill(page, [toPlan(12), toPlan(12)], 1200);
    await page.evaluate(() => {
      const area = document.getElementById('area');
      area?.append(...document.querySelectorAll('[id^="line-"], [id^="app-"]'));
    });
    await page.evaluate(() => document.getElementById('area')?.scrollTo({ top: 700 }));
    await eventually(() => statusOf(page, 0)).toBe('ready');
    expect(await statusOf(page, 1)).toBe('idle');
    await page.evaluate(() => document.getElementById('area')?.scrollTo({ top: 2400 }));
    await eventually(() => statusOf(page, 1)).toBe('ready');
  });

  test('a mode other than inline, and a reload, mount it wherever it is', async () => {
    const options = { displayModes: ['inline', 'pip'] };
    await fill(page, [toPlan(12), toPlan(12, { options }), toPlan(12)], far);
    await eventually(() => statusesOf(page)).toEqual(['idle', 'idle', 'idle']);
    await page.evaluate(() => {
      window.hostApps[1]?.app.setDisplayMode('pip');
      window.hostApps[2]?.app.reload();
    });
    await eventually(() => statusesOf(page)).toEqual(['idle', 'ready', 'ready']);
    expect(await page.evaluate(() => window.hostApps[1]?.app.getSnapshot().displayMode)).toBe('pip');
  });

  test('without a layout it is mounted at once as long as there is room, and later when it is shown', async () => {
    await page.addStyleTag({ content: 'section { display: none } section.shown { display: block }' });
    await fill(
      page,
      upTo(3).map(() => toPlan(2)),
      far,
    );
    await eventually(() => statusesOf(page)).toEqual(['ready', 'ready', 'idle']);
    await page.evaluate(() => document.getElementById('app-2')?.classList.add('shown'));
    await visit(page, 2);
    expect(await maxFrames(page)).toBe(2);
  });

  test('one that waits and is removed from the page is closed; nothing of it is left', async () => {
    await fill(page, [toPlan(12), toPlan(12)], far);
    await eventually(() => statusesOf(page)).toEqual(['idle', 'idle']);
    await page.evaluate(() => document.getElementById('app-1')?.remove());
    await eventually(() => statusOf(page, 1)).toBe('closed');
    await page.evaluate(() => window.hostApps[0]?.app.close());
    expect(await statusOf(page, 0)).toBe('closed');
    expect(await page.locator('#app-0 > *').count()).toBe(0);
  });
});
