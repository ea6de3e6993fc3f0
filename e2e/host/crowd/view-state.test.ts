import type { Frame } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { quietApp, receivedBy, toApp } from '../../support/guest.js';
import { page, useHostPage, world } from '../fixture.js';
import type { AppPlan } from '../support.js';
import { fill, guestAt, isEvicted, lifecycleOf, statusOf, visit, visitAll } from './support.js';

useHostPage();

const far = 2500;
const toPlan = (html: string, options: Record<string, unknown> = {}): AppPlan => ({
  html,
  base: world.base,
  options: { limits: { maxLiveApps: 1 }, toolInput: { city: 'Lisbon' }, ...options },
});

const form = toApp(
  `
  document.getElementById('shown').insertAdjacentHTML('afterend', \`
    <form>
      <input id="typed"><input name="named"><input id="computed" value="by the app"><textarea></textarea><input type="checkbox" id="box">
      <input type="radio" name="size" value="s" checked><input type="radio" name="size" value="l">
      <select><option>one<option>two</select><select multiple id="many"><option>a<option>b<option>c</select>
      <p contenteditable>text</p>
      <input type="password" id="secret"><input id="code" autocomplete="one-time-code"><input type="file">
    </form>
    <div id="list" style="height: 60px; overflow: auto"><div style="height: 900px">long</div></div>
    <div style="height: 3000px">tall</div>\`);
  computed.value = 'computed ' + Math.random();
  window.heard = [];
  for (const name of ['input', 'change'])
    document.addEventListener(name, ({ target }) => heard.push(name + ' ' + (target.id || target.name || target.localName)));
  await bridge.initialize();`,
);

/** What a person left in the form. */
const readForm = (guest: Frame): Promise<unknown> =>
  guest.evaluate(() => {
    const find = <T extends Element = HTMLInputElement>(selector: string): T | null =>
      document.querySelector<T>(selector);
    return {
      typed: find('#typed')?.value,
      named: find('[name=named]')?.value,
      area: find<HTMLTextAreaElement>('textarea')?.value,
      box: find('#box')?.checked,
      size: find('[name=size]:checked')?.value,
      one: find<HTMLSelectElement>('select')?.value,
      many: Array.from(find<HTMLSelectElement>('#many')?.selectedOptions ?? [], ({ value }) => value),
      edited: find('[contenteditable]')?.textContent,
      secret: find('#secret')?.value,
      code: find('#code')?.value,
      list: find('#list')?.scrollTop,
      page: document.documentElement.scrollTop,
    };
  });

const filled = {
  typed: 'by the user',
  named: 'by name',
  area: 'two\nlines',
  box: true,
  size: 'l',
  one: 'two',
  many: ['a', 'c'],
  edited: 'changed text',
  list: 240,
  page: 500,
};

const fillForm = async (guest: Frame): Promise<void> => {
  await guest.fill('#typed', filled.typed);
  await guest.fill('[name=named]', filled.named);
  await guest.fill('textarea', filled.area);
  await guest.check('#box');
  await guest.check('[value=l]');
  // By keys and clicks: what a script changes is the app's own.
  await guest.press('select >> nth=0', 'ArrowDown');
  await guest.click('#many option >> nth=0');
  await guest.click('#many option >> nth=2', { modifiers: ['Control'] });
  await guest.fill('[contenteditable]', filled.edited);
  await guest.fill('#secret', 'hunter2');
  await guest.fill('#code', '123456');
  await guest.evaluate(() => {
    document.getElementById('list')?.scrollTo(0, 240);
    document.documentElement.scrollTo(0, 500);
  });
};

test('what was typed, chosen and scrolled comes back with the data; passwords and codes do not', async () => {
  await fill(page, [toPlan(form), toPlan(quietApp)], far);
  await visit(page, 0);
  const result = { content: [{ type: 'text' as const, text: 'sunny' }] };
  await page.evaluate((given) => window.hostApps[0]?.app.sendToolResult(given), result);
  await fillForm(await guestAt(page, 0));
  await page.evaluate(() => document.querySelector('iframe')?.blur());
  await visit(page, 1);
  await isEvicted(page, 0);
  await visit(page, 0);
  const guest = await guestAt(page, 0);
  await eventually(() => readForm(guest)).toEqual({ ...filled, secret: '', code: '' });
  const heard: unknown = await guest.evaluate(() => Reflect.get(window, 'heard'));
  expect(heard).toEqual(
    expect.arrayContaining(['input typed', 'change typed', 'input named', 'change box', 'input many']),
  );
  // What the app itself filled in is left to it.
  expect(heard).not.toContain('input computed');
  expect(await receivedBy(guest, 'ui/notifications/tool-input')).toEqual([{ arguments: { city: 'Lisbon' } }]);
  expect(await receivedBy(guest, 'ui/notifications/tool-result')).toEqual([result]);
  expect(await lifecycleOf(page, 0)).toContainEqual(
    expect.objectContaining({ type: 'view-given', given: true }),
  );
  const recording = await page.evaluate(() => window.hostApps[0]?.recording.toJsonl());
  for (const text of ['by the user', 'changed text', 'hunter2', '123456'])
    expect(recording).not.toContain(text);
});

test.each([
  ['is not overwritten', true, 'x'],
  ['who waits finds it all', false, 'before'],
])('a user %s', async (_what, isFirst, value) => {
  // The app holds the later attempts back, so that the test can run them when it likes.
  const slow = form.replace(
    'window.heard',
    `window.held = [];
     const native = setTimeout;
     window.setTimeout = (run, ms) => (ms > 100 ? held.push(run) : native(run, ms));
     window.heard`,
  );
  await fill(page, [toPlan(slow), toPlan(quietApp)], far);
  await visit(page, 0);
  await (await guestAt(page, 0)).fill('#typed', 'before');
  await page.evaluate(() => document.querySelector('iframe')?.blur());
  await visitAll(page, [1, 0]);
  const guest = await guestAt(page, 0);
  await eventually(() => guest.inputValue('#typed')).toBe('before');
  await guest.evaluate(() => document.querySelector<HTMLInputElement>('#typed')?.setAttribute('value', ''));
  await guest.evaluate(() => document.querySelector('form')?.reset());
  if (isFirst) await guest.press('#typed', 'x');
  await guest.evaluate(() => Reflect.get(window, 'held').forEach((run: () => void) => run()));
  expect(await guest.inputValue('#typed')).toBe(value);
});

describe('attacks', () => {
  /** An app whose page says this of its view, whatever it is. */
  const forging = (detail: string): string =>
    form.replace(
      'await bridge.initialize();',
      `const Native = window.CustomEvent;
       window.CustomEvent = function (name) { return new Native(name, { detail: ${detail} }); };
       await bridge.initialize();`,
    );
  const restoreForged = async (detail: string): Promise<Frame> => {
    await fill(page, [toPlan(forging(detail)), toPlan(quietApp)], far);
    await visitAll(page, [0, 1]);
    await isEvicted(page, 0);
    await visit(page, 0);
    return guestAt(page, 0);
  };
  const viewSteps = async () =>
    (await lifecycleOf(page, 0)).filter(({ type }) => String(type).startsWith('view-'));

  test('ten megabytes of view are not taken; the app makes room and comes back', async () => {
    await restoreForged(
      `{ fields: [{ at: ['typed'], name: '', kind: 'text', value: 'x'.repeat(1e7) }], scrolls: [] }`,
    );
    expect(await viewSteps()).toEqual([
      expect.objectContaining({ type: 'view-read', answered: false, fields: 0 }),
    ]);
  });

  test('what is no view, names a prototype or a password field, or has no end is left out', async () => {
    const guest = await restoreForged(
      `JSON.parse(${JSON.stringify(
        JSON.stringify({
          fields: [
            { at: ['secret'], name: '', kind: 'text', value: 'forged' },
            { at: ['typed'], name: '', kind: 'text', value: 'mine' },
            { at: ['typed', '__proto__'], name: '', kind: 'text', value: 'no place' },
            { at: ['named'], name: '', kind: 'constructor', value: 'no kind' },
            { at: ['box'], name: '', kind: 'checked', value: 'no boolean' },
            'no field',
          ],
          scrolls: [
            { at: [''], left: 0, top: 'far' },
            { at: [''], left: 0, top: 1e300 },
          ],
        }).replace('{', '{"__proto__":{"polluted":"yes"},'),
      )})`,
    );
    await eventually(() => guest.inputValue('#typed')).toBe('mine');
    expect(await guest.inputValue('#secret')).toBe('');
    expect(await viewSteps()).toEqual([
      expect.objectContaining({ type: 'view-read', fields: 2, scrolls: 0 }),
      expect.objectContaining({ type: 'view-given', given: true, fields: 2 }),
    ]);
    expect(await page.evaluate(() => Reflect.get({}, 'polluted'))).toBeUndefined();
  });

  test('the view of one app is not given to another document', async () => {
    await page.evaluate((plan) => {
      const onViewState = (state: unknown): unknown => (window.hostHeld.view = state);
      window.showApp({ ...plan, options: { ...plan.options, onViewState } });
    }, toPlan(form));
    await eventually(() => statusOf(page, 0)).toBe('ready');
    await (await guestAt0()).fill('#typed', 'kept by the page');
    await page.evaluate(() => window.hostApps[0]?.app.close());
    const view = await page.evaluate(() => window.hostHeld.view);
    expect(view).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    // Through a store of text, as a page would keep it.
    const viewState = JSON.parse(JSON.stringify(view)) as unknown;
    const other = form.replace('<title>guest', '<title>another');
    for (const html of [form, other])
      await page.evaluate((plan) => window.showApp(plan), toPlan(html, { viewState, presence: 'always' }));
    await eventually(() => statusOf(page, 1)).toBe('ready');
    await eventually(() => statusOf(page, 2)).toBe('ready');
    const [own, foreign] = await Promise.all([lifecycleOf(page, 1), lifecycleOf(page, 2)]);
    expect(own).toContainEqual(expect.objectContaining({ type: 'view-given', given: true }));
    expect(foreign).toContainEqual(
      expect.objectContaining({
        type: 'view-given',
        given: false,
        reason: 'It is of another document or another policy.',
      }),
    );
  });

  const guestAt0 = async (): Promise<Frame> => {
    await page.evaluate(() => document.querySelector('section')?.setAttribute('id', 'app-0'));
    return guestAt(page, 0);
  };

  test('an app that catches the loader by its prototypes cannot speak on its port', async () => {
    // It gets hold of whatever the loader hands to functions that a page can replace.
    const catching = toApp(`
      window.caught = [];
      const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
      Object.defineProperty(MessageEvent.prototype, 'data', { configurable: true, get() {
        if (this.target instanceof MessagePort) caught.push('the port');
        return get.call(this);
      } });
      const add = EventTarget.prototype.addEventListener;
      EventTarget.prototype.addEventListener = function (name, listener, options) {
        if (name === 'view') for (let i = 0; i < 50; i += 1) listener({ detail: 'press' });
        return add.call(this, name, listener, options);
      };
      await bridge.initialize();`);
    await fill(page, [toPlan(catching), toPlan(quietApp)], far);
    await visit(page, 0);
    const guest = await guestAt(page, 0);
    await page.evaluate(() => (window.hostHeld.scrolledAt = performance.now()));
    const caught = guest.evaluate(() => Reflect.get(window, 'caught'));
    await visit(page, 1);
    expect(await caught).toEqual([]);
    expect(await lifecycleOf(page, 0)).toContainEqual(
      expect.objectContaining({ type: 'evicted', loses: false }),
    );
  });
});
