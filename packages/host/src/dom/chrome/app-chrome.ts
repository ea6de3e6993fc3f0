import type { DisplayMode } from '@casement/protocol';
import type { AppSnapshot } from '../../core/state/app-snapshot.js';
import { quietPageCode } from '../../core/limits.js';
import type { CardHandles } from '../frame/card-mover.js';
import type { toAppProblem } from '../failure-text.js';
import type { ChromeLevel } from '../mount-app-options.js';
import { toPrintable } from '@casement/protocol/basics';
import type { RowAction } from './chrome-row.js';
import { createButton, createRow } from './chrome-row.js';
import { chromeStyle } from './chrome-style.js';
import type { ChromeWords } from '../host-words.js';
import { toExternalSites } from './external-sites.js';
import { createSiteNotice } from './site-notice.js';

/** What the host draws around an app, in its own DOM: nothing of it can be painted over or imitated by the app. */
export interface AppChrome {
  show(snapshot: AppSnapshot): void;
  /** Puts the focus on the way out of fullscreen. */
  focusClose(): void;
  /** What a floating card is moved by. */
  readonly handles: CardHandles;
}

/** What the controls of the chrome do. */
export interface ChromeActions {
  leaveMode(): void;
  enter(mode: DisplayMode): void;
  stop(): void;
  reload(): void;
  /** Opens a page in the browser because the user pressed a button of the host. */
  open(url: string): void;
}

const busy: readonly string[] = ['idle', 'loading', 'sandbox', 'handshake'];

/** Draws into `head`, in a shadow root that no style of the page reaches. */
export const createAppChrome = (options: {
  readonly head: HTMLElement;
  readonly level: ChromeLevel;
  readonly server: string;
  readonly identity: string;
  readonly appName: string;
  readonly words: ChromeWords;
  readonly showFailures: boolean;
  readonly toAppProblem: typeof toAppProblem;
  readonly actions: ChromeActions;
}): AppChrome => {
  const { head, level, words, actions } = options;
  const page = head.ownerDocument;
  const root = head.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(chromeStyle);
  root.adoptedStyleSheets = [sheet];

  const bar = page.createElement('div');
  bar.className = `bar ${level}`;
  const name = createSpan(page, 'name', toPrintable(options.appName, 120));
  const from = createSpan(page, 'from', words.from(toPrintable(options.server, 120)));
  const status = createSpan(page, 'status', '');
  status.setAttribute('role', 'status');
  const toFullscreen = createButton(page, {
    label: words.fullscreen,
    run: () => actions.enter('fullscreen'),
  });
  const toPip = createButton(page, { label: words.pip, run: () => actions.enter('pip') });
  const reload = createButton(page, { label: words.reload, run: () => actions.reload() });
  const close = createButton(page, { label: words.close, run: () => actions.leaveMode() });
  close.className = 'close';
  // What it does is up to the card's mover.
  const move = createButton(page, { label: words.move, run: () => undefined });
  move.className = 'move';
  move.hidden = true;
  move.title = words.moveHint;
  bar.append(name, from, status, move, toFullscreen, toPip, reload, close);
  const notice = createSiteNotice(page, options.identity, words);
  const health = createRow(page, 'warn', 'alert');
  const failure = createRow(page, 'bad', 'alert');
  const quiet = createRow(page, 'warn', 'status');
  if (level !== 'none') root.append(bar);
  root.append(health.element, failure.element, quiet.element, notice.element);

  const showBar = ({
    status: step,
    displayMode,
    resource,
    hostContext,
    appCapabilities,
  }: AppSnapshot): void => {
    const isFull = level === 'full';
    // HOST-014: an app that wants no border gets neither line nor background, only the words.
    bar.classList.toggle('plain', resource?.prefersBorder === false);
    status.textContent = busy.includes(step) ? words.loading : step === 'tearing-down' ? words.closing : '';
    const isThere = step === 'ready';
    const knows = (mode: DisplayMode): boolean =>
      (hostContext.availableDisplayModes?.includes(mode) ?? false) &&
      (appCapabilities?.availableDisplayModes?.includes(mode) ?? true);
    toFullscreen.hidden = !isFull || !isThere || displayMode === 'fullscreen' || !knows('fullscreen');
    toPip.hidden = !isFull || !isThere || displayMode === 'pip' || !knows('pip');
    reload.hidden = !isFull || !isThere;
  };
  const reloading: RowAction = { label: words.reload, run: () => actions.reload() };
  const showHealth = ({ status: step, failure: problem }: AppSnapshot): void => {
    const isSilent = level !== 'none' && step === 'ready' && problem?.code === 'app-not-responding';
    health.show(
      isSilent ? [words.notResponding] : [],
      isSilent ? [{ label: words.stop, run: () => actions.stop() }, reloading] : [],
    );
    const isFailed = level !== 'none' && options.showFailures && step === 'failed' && problem !== undefined;
    failure.show(
      isFailed
        ? [words.failed, words.appProblem?.(problem) ?? options.toAppProblem(problem, words.failures)]
        : [],
      isFailed ? [reloading] : [],
    );
  };

  let isQuietKnown = false;
  const showQuiet = ({ status: step, findings, resource }: AppSnapshot): void => {
    const url =
      level === 'none' ||
      isQuietKnown ||
      step !== 'ready' ||
      !findings.some(({ code }) => code === quietPageCode)
        ? undefined
        : resource?.url;
    if (url === undefined) return quiet.show([], []);
    const dismiss = (): void => {
      isQuietKnown = true;
      quiet.show([], []);
    };
    quiet.show(
      [words.quietPage(toPrintable(new URL(url).host, 120))],
      [
        { label: words.openPage, run: () => actions.open(url) },
        { label: words.dismiss, run: dismiss },
      ],
    );
  };

  return {
    show(snapshot) {
      showBar(snapshot);
      showHealth(snapshot);
      showQuiet(snapshot);
      const isShown = level !== 'none' && snapshot.status !== 'failed';
      notice.show(isShown ? toExternalSites(snapshot) : []);
    },
    focusClose: () => close.focus({ preventScroll: true }),
    handles: { head, bar, button: move },
  };
};

const createSpan = (page: Document, className: string, text: string): HTMLElement => {
  const span = page.createElement('span');
  span.className = className;
  span.textContent = text;
  return span;
};
