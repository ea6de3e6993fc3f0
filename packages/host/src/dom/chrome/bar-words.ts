import type { ChromeWords } from '../host-words.js';

/** The words of the bar unless the embedder has others. */
export const barWords: Pick<ChromeWords, 'from' | 'loading' | 'closing'> = {
  from: (server) => `App from ${server}`,
  loading: 'Loading…',
  closing: 'Closing…',
};
