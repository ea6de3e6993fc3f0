import type { AppWords, ChromeWords } from '../host-words.js';
import { barWords } from './bar-words.js';
import { controlWords } from './control-words.js';
import { placeWords } from './place-words.js';

/** All words of the chrome with those that an embedder has. Each part has its own, since parts are loaded one by one. */
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
