import type { SessionFailure } from '../../core/app-snapshot.js';
import type { AppWords } from '../host-words.js';
import type { FailureWords } from '../failure-text.js';

/** Every word of the chrome; an embedder gives its own for another language. */
export interface ChromeWords {
  /** Names who the app comes from. */
  from(server: string): string;
  /** Over a dialog that an app asked for, after `from`: these are the app's own words. */
  titled(title: string): string;
  loading: string;
  closing: string;
  /** Names the places outside that the app may exchange data with (HOST-009). */
  reaches(shown: string, more: number): string;
  dismiss: string;
  close: string;
  fullscreen: string;
  pip: string;
  /** On the button of a floating card, and what it says besides. */
  move: string;
  moveHint: string;
  reload: string;
  stop: string;
  notResponding: string;
  /** Over the message of a failure. */
  failed: string;
  /** The message itself, by the code of the failure. */
  failures: FailureWords;
  /** What is said of a failure where a sentence by its code is not enough, as for developers; neutral unless given. */
  appProblem?(failure: SessionFailure): string;
  /** Over the frame of a page elsewhere that may forbid being there, and on the way to see it all the same. */
  quietPage(site: string): string;
  openPage: string;
  /** The name of the app as a dialog that covers the page. */
  dialog(app: string, server: string): string;
}

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
