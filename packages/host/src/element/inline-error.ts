import type { SessionFailure } from '../core/state/session-state.js';
import { toFailedText } from '../dom/failure-text.js';
import type { AppWords } from '../dom/host-words.js';

/** The text in place of an app that cannot be shown: the page's own fallback first, then that it cannot. */
export const createInlineError = (
  failure: SessionFailure,
  fallbackText: string | undefined,
  words: AppWords = {},
): HTMLElement => {
  const box = document.createElement('div');
  box.setAttribute('role', 'alert');
  box.dataset.appError = failure.code;
  const lines = [fallbackText, toFailedText(failure, words)];
  for (const line of lines.filter(Boolean)) {
    const paragraph = document.createElement('p');
    paragraph.textContent = line ?? '';
    box.append(paragraph);
  }
  return box;
};
