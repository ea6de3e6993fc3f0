import { toPrintable } from '@casement/protocol/basics';
import type { AppSnapshot } from '../../core/state/app-snapshot.js';
import type { AppWords } from '../host-words.js';
import type { ChromeLevel } from '../mount-app-options.js';
import { barStyle } from '../../generated/bar-style.js';
import { barWords } from './bar-words.js';

/** What the host draws around an app, in its own DOM: nothing of it can be painted over or imitated by the app. */
export interface AppChrome {
  /** The line over the app, for the controls that come when they are needed. */
  readonly bar: HTMLElement;
  readonly root: ShadowRoot;
  show(snapshot: AppSnapshot): void;
  /** Says why there is no app, in the line itself: what says it better could not be loaded. */
  showFailed(text: string): void;
}

const busy: readonly string[] = ['idle', 'loading', 'sandbox', 'handshake'];

/** Draws the bar into `head`, in a shadow root that no style of the page reaches. */
export const createAppChrome = (options: {
  readonly head: HTMLElement;
  readonly level: ChromeLevel;
  readonly server: string;
  readonly appName: string;
  readonly words: AppWords | undefined;
}): AppChrome => {
  const { head, level } = options;
  const words = { ...barWords, ...options.words, ...options.words?.chrome };
  const page = head.ownerDocument;
  const root = head.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(barStyle);
  root.adoptedStyleSheets = [sheet];

  const bar = page.createElement('div');
  bar.className = `bar ${level}`;
  const name = createSpan(page, 'name', toPrintable(options.appName, 120));
  const from = createSpan(page, 'from', words.from(toPrintable(options.server, 120)));
  const status = createSpan(page, 'status', '');
  status.setAttribute('role', 'status');
  bar.append(name, from, status);
  if (level !== 'none') root.append(bar);

  return {
    bar,
    root,
    show({ status: step, resource }) {
      // HOST-014: an app that wants no border gets neither line nor background, only the words.
      bar.classList.toggle('plain', resource?.prefersBorder === false);
      status.textContent = busy.includes(step) ? words.loading : step === 'tearing-down' ? words.closing : '';
    },
    showFailed(text) {
      status.textContent = text;
    },
  };
};

const createSpan = (page: Document, className: string, text: string): HTMLElement => {
  const span = page.createElement('span');
  span.className = className;
  span.textContent = text;
  return span;
};
