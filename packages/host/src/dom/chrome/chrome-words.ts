import { placeWords } from '../crowd/place-keeper.js';
import type { AppWords, ChromeWords } from '../host-words.js';
import { barWords } from './app-chrome.js';
import { controlWords } from './chrome-controls.js';

/**
 * All words of the chrome with those that an embedder has. Each part of the chrome has its own, since the parts are
 * loaded one by one; whoever needs all of them is loaded after all of it.
 */
export const toChromeWords = ({ chrome, dialogs, failures, ...own }: AppWords = {}): ChromeWords => {
  void dialogs;
  return {
    ...barWords,
    ...controlWords,
    ...placeWords,
    ...own,
    ...chrome,
    failures: { ...failures, ...chrome?.failures },
  };
};
