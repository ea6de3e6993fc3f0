import type { ChromeWords } from '../host-words.js';

/** The words of a place unless the embedder has others. */
export const placeWords: Pick<ChromeWords, 'evicted' | 'crowded' | 'showApp'> = {
  evicted:
    'This app made room for others. What you typed and where you scrolled comes back with it; the rest starts anew.',
  crowded: (apps) => `${apps} apps are running on this page, so this one is not.`,
  showApp: 'Show it in place of another',
};
