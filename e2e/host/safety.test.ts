import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { page, useHostPage, world } from './fixture.js';
import { guestOf, reaches, recorded, show } from './support.js';
import { quietApp, toApp } from '../support/guest.js';

useHostPage();

// Takes the focus whenever told to, and counts the keys that it then hears.
const thief = toApp(`
  await bridge.initialize();
  globalThis.keys = 0;
  addEventListener('keydown', () => (globalThis.keys += 1));
  globalThis.steal = () => { window.focus(); document.querySelector('input').focus(); };
`);

interface Thief {
  keys: number;
  steal(): void;
}

const steal = async (): Promise<void> =>
  // The guest's own script put it there.
  (await guestOf(page)).evaluate(() => (globalThis as unknown as Thief).steal());
const stolenKeys = async (): Promise<number> =>
  (await guestOf(page)).evaluate(() => (globalThis as unknown as Thief).keys);

test.each([
  ['in the page', false],
  ['in a shadow root', true],
])(
  'T9 A43 focus an app %s takes while the user types goes back; an app that goes on is stopped',
  async (_, inShadow) => {
    await page.mouse.move(5, 5);
    await show(page, { html: thief, base: world.base, inShadow });
    const field = page.locator('#field');
    await field.focus();
    await page.keyboard.type('a');
    await steal();
    await eventually(() => recorded(page, 'finding')).toContainEqual({ code: 'focus-taken', strikes: 1 });
    await page.keyboard.type('b');
    expect(await stolenKeys()).toBe(0);
    // Until there is nobody left to do it.
    const stealAgain = async (): Promise<number> => {
      const frames = await page.locator('iframe').count();
      if (frames > 0) await steal().catch(() => undefined);
      return frames;
    };
    await eventually(stealAgain).toBe(0);
    await page.getByText('it took the keyboard while you were typing').waitFor();
    await page.keyboard.type('c');
    expect(await field.inputValue()).toBe('abc');
    expect(await page.locator('iframe').count()).toBe(0);
    await page.getByRole('button', { name: 'Reload' }).press('Enter');
    await reaches(page, 'ready');
  },
);

test('A43 a field in a shadow root is guarded too, and who goes to the app by click is left alone', async () => {
  await page.evaluate(() => {
    const host = document.querySelector('main')?.appendChild(document.createElement('div'));
    const inner = document.createElement('input');
    inner.id = 'inner';
    inner.setAttribute('aria-label', 'Inner');
    host?.attachShadow({ mode: 'open' }).append(inner);
  });
  await show(page, { html: thief, base: world.base });
  const inner = page.locator('#inner');
  await inner.focus();
  await page.keyboard.type('a');
  await steal();
  await eventually(() => recorded(page, 'finding')).toContainEqual({ code: 'focus-taken', strikes: 1 });
  await page.keyboard.type('b');
  expect(await inner.inputValue()).toBe('ab');
  const frame = page.locator('iframe');
  const box = await frame.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 60);
  await eventually(() => frame.getAttribute('inert')).toBeNull();
  await (await guestOf(page)).locator('input').click();
  await page.keyboard.type('c');
  expect(await stolenKeys()).toBe(1);
});

const saving = toApp(`
  await bridge.initialize();
  bridge.answers['ui/resource-teardown'] = () => {
    bridge.notify('notifications/message', { level: 'info', data: 'saved' });
    return {};
  };
`);

test('an app whose container goes away at once is parked and still asked to stop, where the browser can', async () => {
  await show(page, { html: saving, base: world.base });
  const isAble = await page.evaluate(() => 'moveBefore' in document.documentElement);
  expect(isAble).toBe(true);
  const frames = await page.evaluate(async () => {
    const { app, container } = window.hostApps[0] ?? {};
    const closing = app?.close('unmounted');
    container?.remove();
    const during = document.querySelectorAll('iframe').length;
    await closing;
    return [during, document.querySelectorAll('iframe').length];
  });
  expect(frames).toEqual([1, 0]);
  const steps = await recorded(page, 'lifecycle');
  expect(steps).toContainEqual({ type: 'teardown', outcome: 'answered' });
  expect(steps).not.toContainEqual(expect.objectContaining({ type: 'teardown-skipped' }));
  expect(await recorded(page, 'notification')).toContainEqual(
    expect.objectContaining({ params: { level: 'info', data: 'saved' } }),
  );
});

test('without moveBefore a removal is recorded as a skipped teardown, as a foreign removal always is', async () => {
  await page.evaluate(() => {
    // A browser that does not have it yet.
    Reflect.deleteProperty(Element.prototype, 'moveBefore');
  });
  await show(page, { html: saving, base: world.base });
  await show(page, { html: quietApp, base: world.base });
  await page.evaluate(() => {
    void window.hostApps[0]?.app.close('unmounted');
    for (const { container } of window.hostApps) container.remove();
  });
  const skipped = { type: 'teardown-skipped', cause: 'removed-by-others' };
  await eventually(() => recorded(page, 'lifecycle', 1)).toContainEqual(skipped);
  await eventually(() => page.evaluate(() => window.hostApps[1]?.app.getSnapshot().status)).toBe('closed');
  await eventually(() => recorded(page, 'lifecycle')).toContainEqual(skipped);
});
