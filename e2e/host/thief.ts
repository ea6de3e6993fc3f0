import type { CDPSession, Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { recorded } from './support.js';
import { toApp } from '../support/guest.js';

/** What is typed while a thief is at work. */
export const word = 'hunter2-secret';

/** Ways to take the focus, as the body of a function of the guest. */
export const ways = {
  'one field and another': 'turn = !turn; (turn ? field : other).focus();',
  'its window': 'window.focus();',
  'its window and a field': 'window.focus(); field.focus();',
  'a modal dialog': 'dialog.close(); window.focus(); dialog.showModal();',
  'a label that is clicked': 'turn = !turn; (turn ? label : field).click(); window.focus();',
  'editable text': 'turn = !turn; (turn ? editable : field).focus();',
  'a frame of its own':
    'inner.contentWindow?.focus(); inner.contentDocument?.querySelector("input")?.focus();',
} as const;
export type Way = keyof typeof ways;

/**
 * An app that takes the focus every so often and whenever it loses it, and tells whether it has it then, and which
 * keys it heard. It acts by itself: what a test evaluates in a frame counts for the browser as an action of the user there.
 */
export const toThief = (way: Way, everyMs = 30, start: 'at once' | 'when told' = 'at once'): string =>
  toApp(`
    await bridge.initialize();
    const tell = (data) => bridge.notify('notifications/message', { level: 'info', data });
    const hear = ({ key }) => tell('key ' + key);
    addEventListener('keydown', hear, true);
    document.body.insertAdjacentHTML(
      'beforeend',
      '<input id="other"><dialog><input autofocus></dialog><label>x <input></label><p contenteditable>x</p><iframe srcdoc="<input>"></iframe>',
    );
    const [field, other, dialog, label, editable, inner] = ['input', '#other', 'dialog', 'label', '[contenteditable]', 'iframe']
      .map((name) => document.querySelector(name));
    inner.onload = () => inner.contentWindow.addEventListener('keydown', hear, true);
    let turn = false;
    const grab = () => { ${ways[way]} tell(document.hasFocus() ? 'taken' : 'not taken'); };
    const start = () => {
      addEventListener('blur', () => { grab(); setTimeout(grab, 30); });
      setInterval(grab, ${everyMs});
      grab();
    };
    if (${start === 'at once'}) start();
    else addEventListener('message', ({ data }) => { if (data.method?.endsWith('host-context-changed')) start(); });
  `);

/** The keys of a word that an app heard, whether or not it still runs. */
export const stolenKeys = async (page: Page, index = 0): Promise<string[]> => {
  const messages = await recorded(page, 'notification', index);
  return messages.flatMap((message) => {
    // What the thief above sends; everything else has no such text.
    const { params } = message as { params?: { data?: unknown } };
    const key = /^key (.)$/.exec(String(params?.data))?.[1];
    return key === undefined ? [] : [key];
  });
};

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Evaluates in the page; unlike `page.evaluate` the browser does not count it as an action of the user there. */
export const evaluateUnseen = async <A, R>(page: Page, read: (given: A) => R, given: A): Promise<R> => {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  const expression = `(${String(read)})(${JSON.stringify(given)})`;
  const { result } = await (await session).send('Runtime.evaluate', { expression, returnByValue: true });
  // The function's own result, as its type says, by way of JSON.
  return result.value as R;
};

/**
 * Whether the host has done what it does after a key: each thief is stopped, or could not take the focus when it last
 * tried, which it can as long as it is not inert.
 */
const isSettled = (before: readonly number[]): boolean =>
  before.every((count, index) => {
    const { app, recording } = window.hostApps[index] ?? {};
    if (app?.getSnapshot().failure) return true;
    const told = recording
      ?.entries()
      .slice(count)
      .map(({ raw }) => Object(raw).params?.data);
    return told?.findLast((data) => data === 'taken' || data === 'not taken') === 'not taken';
  });
const countEntries = (apps: number): number[] =>
  window.hostApps.slice(0, apps).map(({ recording }) => recording.entries().length);

/**
 * Types while the first apps of the page are thieves, as somebody who is slower than the host, however slow the machine
 * makes that: a key follows when the host has dealt with what the apps did after the one before.
 */
export const typeAmongThieves = async (page: Page, text: string, thieves = 1): Promise<void> => {
  for (const key of text) {
    const counts = await evaluateUnseen(page, countEntries, thieves);
    await page.keyboard.press(key);
    await eventually(() => evaluateUnseen(page, isSettled, counts)).toBe(true);
  }
};
