import type { SessionFailure } from '../core/app-snapshot.js';
import type { ChromeWords } from '../dom/chrome/chrome-words.js';
import { defaultWords } from '../dom/chrome/chrome-words.js';

/** The text in place of an app that cannot be shown: the page's own fallback first, then that it cannot. */
export const createInlineError = (
  failure: SessionFailure,
  fallbackText: string | undefined,
  words: Partial<ChromeWords> = {},
): HTMLElement => {
  const { failed, problem } = { ...defaultWords, ...words };
  const box = document.createElement('div');
  box.setAttribute('role', 'alert');
  box.dataset.appError = failure.code;
  const lines = [fallbackText, `${failed} ${problem(failure)}`];
  for (const line of lines.filter(Boolean)) {
    const paragraph = document.createElement('p');
    paragraph.textContent = line ?? '';
    box.append(paragraph);
  }
  return box;
};
