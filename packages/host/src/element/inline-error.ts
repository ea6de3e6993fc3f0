import type { SessionFailure } from '../core/app-snapshot.js';

/** The text in place of an app that cannot be shown: the page's own fallback first, then what went wrong. */
export const createInlineError = (failure: SessionFailure, fallbackText: string | undefined): HTMLElement => {
  const box = document.createElement('div');
  box.setAttribute('role', 'alert');
  box.dataset.appError = failure.code;
  const lines = [fallbackText, [failure.message, failure.hint].filter(Boolean).join(' ')];
  for (const line of lines.filter(Boolean)) {
    const paragraph = document.createElement('p');
    paragraph.textContent = line ?? '';
    box.append(paragraph);
  }
  return box;
};
