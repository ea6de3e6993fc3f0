import { element } from './page-elements.js';
import { toPrintable } from './printable-text.js';

/** One question to the user; everything in it may be foreign text. */
export interface ConsentQuestion {
  title: string;
  /** What is decided on, shown first and alone on its line: a host name, or the app that speaks. */
  subject: string;
  asker: string;
  warning?: string;
  detail: string;
  allow: string;
}

// A dialog that appears under a double click must not be answered by its second half (E10).
const armAfterMs = 500;

/** Asks the user in a modal dialog of ours; while one question is open every other is answered with no (E08). */
export const createConsentDialog = (): ((question: ConsentQuestion) => Promise<boolean>) => {
  const dialog = element('consent', HTMLDialogElement);
  const allow = element('consent-allow', HTMLButtonElement);
  const cancel = element('consent-cancel', HTMLButtonElement);
  const warning = element('consent-warning', HTMLElement);
  let settle: ((answer: boolean) => void) | undefined;
  let armed = false;

  const arm = (value: boolean): void => {
    armed = value;
    // Not `disabled`: the focus has to stay on Cancel.
    for (const button of [allow, cancel]) button.setAttribute('aria-disabled', String(!value));
  };

  const end = (answer: boolean): void => {
    dialog.close();
    settle?.(answer);
    settle = undefined;
  };

  allow.addEventListener('click', () => armed && end(true));
  cancel.addEventListener('click', () => armed && end(false));
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    end(false);
  });

  return (question) => {
    if (settle) return Promise.resolve(false);
    element('consent-title', HTMLElement).textContent = question.title;
    element('consent-subject', HTMLElement).textContent = toPrintable(question.subject, 300);
    element('consent-asker', HTMLElement).textContent = toPrintable(question.asker, 300);
    element('consent-detail', HTMLElement).textContent = toPrintable(question.detail, 4_000);
    warning.textContent = question.warning ?? '';
    warning.hidden = question.warning === undefined;
    allow.textContent = question.allow;
    arm(false);
    dialog.showModal();
    cancel.focus();
    setTimeout(() => arm(true), armAfterMs);
    return new Promise((resolve) => {
      settle = resolve;
    });
  };
};
