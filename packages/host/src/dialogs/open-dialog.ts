import type { ConsentAnswer } from '../core/session-options.js';
import { keepKeyboard } from '../dom/keyboard-lock.js';
import { dialogStyle } from './dialog-style.js';
import type { Question } from './question.js';

// A dialog that appears under a double click must not be answered by its second half (E10).
const armAfterMs = 500;

/** Shows one modal dialog and answers with what the user decided; anything but the button is a no. */
export const openDialog = (
  question: Question,
  settings: {
    readonly container: HTMLElement;
    readonly cancel: string;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ConsentAnswer> => {
  const page = settings.container.ownerDocument;
  const place = page.createElement('div');
  const root = place.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(dialogStyle);
  root.adoptedStyleSheets = [sheet];

  const dialog = page.createElement('dialog');
  const cancel = toButton(page, '', settings.cancel);
  const allow = toButton(page, 'allow', question.allow);
  const always = toAlways(page, question.always);
  const actions = toElement(page, 'div', 'actions');
  actions.append(cancel, allow);
  dialog.append(toBody(page, question, always?.element), actions);
  dialog.setAttribute('aria-labelledby', 'title');
  dialog.setAttribute('aria-describedby', 'subject asker');
  root.append(dialog);
  settings.container.append(place);

  return new Promise((resolve) => {
    const listening = new AbortController();
    const { signal } = listening;
    // Not `disabled`: the focus has to be on Cancel from the first moment.
    const buttons = [cancel, allow];
    for (const button of buttons) button.setAttribute('aria-disabled', 'true');
    let isArmed = false;
    const arming = setTimeout(() => {
      isArmed = true;
      for (const button of buttons) button.removeAttribute('aria-disabled');
    }, armAfterMs);
    const end = (answer: ConsentAnswer): void => {
      clearTimeout(arming);
      listening.abort();
      dialog.close();
      place.remove();
      resolve(answer);
    };

    cancel.addEventListener('click', () => isArmed && end(false), { signal });
    allow.addEventListener('click', () => isArmed && end(always?.input.checked ? 'always' : true), {
      signal,
    });
    // Escape, and whatever else closes a dialog, is a no at any time.
    dialog.addEventListener('cancel', () => end(false), { signal });
    dialog.addEventListener('close', () => end(false), { signal });
    settings.signal?.addEventListener('abort', () => end(false), { signal });

    const endKeeping = keepKeyboard(dialog, cancel);
    signal.addEventListener('abort', endKeeping);
    dialog.showModal();
    cancel.focus();
    if (settings.signal?.aborted) end(false);
  });
};

/** Title, then what is decided on, then who asks: in this order and all as text, never as markup. */
const toBody = (page: Document, question: Question, always: HTMLElement | undefined): HTMLElement => {
  const body = toElement(page, 'div', 'body');
  const title = toElement(page, 'h2', '', question.title);
  title.id = 'title';
  const subject = toElement(page, 'p', 'subject', question.subject);
  subject.id = 'subject';
  const asker = toElement(page, 'p', 'asker', question.asker);
  asker.id = 'asker';
  body.append(title, subject);
  body.append(...question.warnings.map((warning) => toElement(page, 'p', 'warning', warning)));
  body.append(asker);
  if (question.detail !== undefined) {
    const isAddress = /^\w+:\S*$/.test(question.detail);
    body.append(
      toScrollable(toElement(page, 'div', isAddress ? 'detail address' : 'detail', question.detail)),
    );
  }
  if (question.items) {
    const list = toElement(page, 'ul', 'items');
    list.append(
      ...question.items.map(({ name, note }) => {
        const item = toElement(page, 'li', '');
        item.append(toElement(page, 'span', 'name', name), toElement(page, 'span', 'note', note));
        return item;
      }),
    );
    body.append(toScrollable(list));
  }
  if (always) body.append(always);
  return body;
};

/** A region that scrolls has to be reachable by keyboard. */
const toScrollable = (element: HTMLElement): HTMLElement => {
  element.tabIndex = 0;
  return element;
};

const toAlways = (
  page: Document,
  label: string | undefined,
): { element: HTMLElement; input: HTMLInputElement } | undefined => {
  if (label === undefined) return undefined;
  const element = toElement(page, 'label', 'always');
  const input = page.createElement('input');
  input.type = 'checkbox';
  element.append(input, toElement(page, 'span', '', label));
  return { element, input };
};

const toButton = (page: Document, className: string, label: string): HTMLButtonElement => {
  const button = page.createElement('button');
  button.type = 'button';
  button.className = className;
  button.textContent = label;
  return button;
};

const toElement = (page: Document, tag: string, className: string, text = ''): HTMLElement => {
  const element = page.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
};
