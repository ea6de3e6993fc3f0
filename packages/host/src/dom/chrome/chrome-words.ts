import type { AppWords, ChromeWords } from '../host-words.js';

/** The words unless the embedder has others. */
const defaultWords: ChromeWords = {
  from: (server) => `App from ${server}`,
  titled: (title) => `titled “${title}”`,
  loading: 'Loading…',
  closing: 'Closing…',
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
  failures: {},
  quietPage: (site) => `Is this app blank? ${site} may forbid being shown inside other pages.`,
  openPage: 'Open it in a tab',
  evicted:
    'This app made room for others. What you typed and where you scrolled comes back with it; the rest starts anew.',
  crowded: (apps) => `${apps} apps are running on this page, so this one is not.`,
  showApp: 'Show it in place of another',
  dialog: (app, server) => `${app}, app from ${server}`,
};

/** The words of the chrome with those that an embedder has. */
export const toChromeWords = ({ chrome, dialogs, failures, ...own }: AppWords = {}): ChromeWords => {
  void dialogs;
  return {
    ...defaultWords,
    ...own,
    ...chrome,
    failures: { ...defaultWords.failures, ...failures, ...chrome?.failures },
  };
};
