import type { ConsentAnswer } from '../core/session-options.js';
import { createArming, type ArmedState } from '../dom/focus/arming.js';
import { keepKeyboard } from '../dom/focus/keyboard-lock.js';
import { dialogStyle } from './dialog-style.js';
import type { DialogWords } from '../dom/host-words.js';
import { createButton, createElement } from './elements.js';
import { createQuestionBody } from './question-body.js';
import type { Question } from './question.js';

/** Shows one modal dialog and answers with what the user decided; anything but the button is a no. */
export const openDialog = (
  question: Question,
  settings: {
    readonly container: HTMLElement;
    readonly words: Pick<DialogWords, 'cancel' | 'cut' | 'cutPictures' | 'showAll' | 'contents'>;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ConsentAnswer> => {
  const page = settings.container.ownerDocument;
  const place = page.createElement('div');
  place.dataset.casementDialog = '';
  const root = place.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(dialogStyle);
  root.adoptedStyleSheets = [sheet];

  const dialog = page.createElement('dialog');
  const cancel = createButton(page, '', settings.words.cancel);
  const allow = createButton(page, 'allow', question.allow);
  const always = createAlwaysBox(page, question.always);
  const actions = createElement(page, 'div', 'actions');
  actions.append(cancel, allow);
  const showAlways = (): void => {
    if (always) always.element.hidden = !body.isSeen();
  };
  const body = createQuestionBody(page, question, {
    words: settings.words,
    onShowAll: () => dialog.classList.add('wide'),
    onSeen: showAlways,
  });
  if (always) body.element.append(always.element);
  dialog.append(body.element, actions);
  const parts = {
    dialog,
    body: body.element,
    actions,
    cancel,
    allow,
    ...(always ? { always: always.element } : {}),
  };
  for (const [name, element] of Object.entries(parts)) element.setAttribute('part', name);
  dialog.setAttribute('aria-labelledby', 'title');
  dialog.setAttribute('aria-describedby', 'subject asker');
  root.append(dialog);
  settings.container.append(place);

  return new Promise((resolve) => {
    const listening = new AbortController();
    const { signal } = listening;
    // Not `disabled`: the focus has to be on Cancel from the first moment.
    const show = (element: HTMLElement, isTaken: boolean): void =>
      element.setAttribute('aria-disabled', String(!isTaken));
    const showArmed = ({ takesNo, takesYes }: ArmedState): void => {
      show(cancel, takesNo);
      show(allow, takesYes);
      if (always) show(always.input, takesYes);
    };
    const arming = createArming(dialog, showArmed);
    showArmed(arming.getState());
    const measured = new ResizeObserver(() => body.measure());
    const end = (answer: ConsentAnswer): void => {
      arming.end();
      measured.disconnect();
      listening.abort();
      dialog.close();
      place.remove();
      resolve(answer);
    };

    cancel.addEventListener('click', (event) => arming.isMeant(event, false) && end(false), { signal });
    allow.addEventListener(
      'click',
      (event) => {
        const isAlways = always?.input.checked && body.isSeen();
        if (arming.isMeant(event, true)) end(isAlways ? 'always' : true);
      },
      { signal },
    );
    always?.input.addEventListener(
      'click',
      (event) => {
        if (!arming.isMeant(event, true)) event.preventDefault();
      },
      { signal },
    );
    // Escape, and whatever else closes a dialog, is a no at any time.
    dialog.addEventListener('cancel', () => end(false), { signal });
    dialog.addEventListener('close', () => end(false), { signal });
    settings.signal?.addEventListener('abort', () => end(false), { signal });

    const endKeeping = keepKeyboard(dialog, cancel);
    signal.addEventListener('abort', endKeeping);
    dialog.showModal();
    cancel.focus();
    body.measure();
    showAlways();
    measured.observe(dialog);
    if (settings.signal?.aborted) end(false);
  });
};

const createAlwaysBox = (
  page: Document,
  label: string | undefined,
): { element: HTMLElement; input: HTMLInputElement } | undefined => {
  if (label === undefined) return undefined;
  const element = createElement(page, 'label', 'always');
  const input = page.createElement('input');
  input.type = 'checkbox';
  element.append(input, createElement(page, 'span', '', label));
  element.hidden = true;
  return { element, input };
};
