import type { ChromeWords } from '../host-words.js';

/** The words of the controls unless the embedder has others. */
export const controlWords: Omit<
  ChromeWords,
  'from' | 'loading' | 'closing' | 'evicted' | 'crowded' | 'showApp' | 'failures'
> = {
  titled: (title) => `titled “${title}”`,
  reaches: (shown, more) =>
    more > 0 ? `Can exchange data with ${shown} and ${more} more` : `Can exchange data with ${shown}`,
  dismiss: 'Dismiss',
  close: 'Close',
  fullscreen: 'Fullscreen',
  pip: 'Picture in picture',
  move: 'Move',
  moveHint: 'Use the arrow keys, with Shift for larger steps, Home for the corner',
  reload: 'Reload',
  stop: 'Stop',
  notResponding: 'This app is not responding.',
  failed: 'This app cannot be shown.',
  quietPage: (site) => `Is this app blank? ${site} may forbid being shown inside other pages.`,
  openPage: 'Open it in a tab',
  dialog: (app, server) => `${app}, app from ${server}`,
};
