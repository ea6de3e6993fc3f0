import type { Page } from 'playwright-core';
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
 * An app that takes the focus every so often and whenever it loses it, and tells which keys it heard. It acts by
 * itself: what a test evaluates in a frame counts for the browser as an action of the user there.
 */
export const toThief = (way: Way, everyMs = 30): string =>
  toApp(`
    await bridge.initialize();
    const hear = ({ key }) => bridge.notify('notifications/message', { level: 'info', data: 'key ' + key });
    addEventListener('keydown', hear, true);
    document.body.insertAdjacentHTML(
      'beforeend',
      '<input id="other"><dialog><input autofocus></dialog><label>x <input></label><p contenteditable>x</p><iframe srcdoc="<input>"></iframe>',
    );
    const [field, other, dialog, label, editable, inner] = ['input', '#other', 'dialog', 'label', '[contenteditable]', 'iframe']
      .map((name) => document.querySelector(name));
    inner.onload = () => inner.contentWindow.addEventListener('keydown', hear, true);
    let turn = false;
    const grab = () => { ${ways[way]} };
    addEventListener('blur', () => { grab(); setTimeout(grab, 30); });
    setInterval(grab, ${everyMs});
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
