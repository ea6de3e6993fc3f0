import type { toPrintable } from '@casement/protocol/basics';
import type { DisplayMode } from '@casement/protocol';
import type { AppSnapshot } from '../../core/state/app-snapshot.js';
import type { toAppProblem } from '../failure-text.js';
import type { CardHandles } from '../frame/card-mover.js';
import type { AppWords } from '../host-words.js';
import type { ChromeLevel } from '../mount-app-options.js';
import type { AppChrome } from './app-chrome.js';
import type { RowAction } from './chrome-row.js';
import { createButton, createRow } from './chrome-row.js';
import { controlStyle } from '../../generated/control-style.js';
import type { controlWords } from './control-words.js';
import type { toExternalSites } from './external-sites.js';
import { createSiteNotice } from './site-notice.js';

/** What of the chrome only some apps need: buttons, and lines that come and go. */
export interface ChromeControls {
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

/** Adds the controls to the chrome of one app. */
export const createChromeControls = (options: {
  readonly chrome: Pick<AppChrome, 'bar' | 'root'>;
  readonly head: HTMLElement;
  readonly level: ChromeLevel;
  readonly identity: string;
  readonly words: typeof controlWords & Pick<AppWords, 'failures'>;
  readonly showFailures: boolean;
  readonly toAppProblem: typeof toAppProblem;
  readonly toExternalSites: typeof toExternalSites;
  readonly toPrintable: typeof toPrintable;
  isQuiet(snapshot: AppSnapshot): boolean;
  readonly actions: ChromeActions;
}): ChromeControls => {
  const { head, level, words, actions } = options;
  const { bar, root } = options.chrome;
  const page = head.ownerDocument;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(controlStyle);
  root.adoptedStyleSheets.push(sheet);

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
  bar.append(move, toFullscreen, toPip, reload, close);
  const notice = createSiteNotice(page, options.identity, words, options.toPrintable);
  const health = createRow(page, 'warn', 'alert');
  const failure = createRow(page, 'bad', 'alert');
  const quiet = createRow(page, 'warn', 'status');
  root.append(health.element, failure.element, quiet.element, notice.element);

  const showButtons = ({ status, displayMode, hostContext, appCapabilities }: AppSnapshot): void => {
    const isShown = level === 'full' && status === 'ready';
    const canEnter = (mode: DisplayMode): boolean =>
      isShown &&
      displayMode !== mode &&
      (hostContext.availableDisplayModes?.includes(mode) ?? false) &&
      (appCapabilities?.availableDisplayModes?.includes(mode) ?? true);
    toFullscreen.hidden = !canEnter('fullscreen');
    toPip.hidden = !canEnter('pip');
    reload.hidden = !isShown;
  };
  const reloading: RowAction = { label: words.reload, run: () => actions.reload() };
  const showHealth = ({ status, failure: problem }: AppSnapshot): void => {
    const isSilent = level !== 'none' && status === 'ready' && problem?.code === 'app-not-responding';
    health.show(
      isSilent ? [words.notResponding] : [],
      isSilent ? [{ label: words.stop, run: () => actions.stop() }, reloading] : [],
    );
    const isFailed = level !== 'none' && options.showFailures && status === 'failed' && problem !== undefined;
    failure.show(
      isFailed
        ? [words.failed, words.appProblem?.(problem) ?? options.toAppProblem(problem, words.failures)]
        : [],
      isFailed ? [reloading] : [],
    );
  };

  let isQuietKnown = false;
  const showQuiet = (snapshot: AppSnapshot): void => {
    const isShown = level !== 'none' && !isQuietKnown && snapshot.status === 'ready';
    const url = isShown && options.isQuiet(snapshot) ? snapshot.resource?.url : undefined;
    if (url === undefined) return quiet.show([], []);
    const dismiss = (): void => {
      isQuietKnown = true;
      quiet.show([], []);
    };
    quiet.show(
      [words.quietPage(options.toPrintable(new URL(url).host, 120))],
      [
        { label: words.openPage, run: () => actions.open(url) },
        { label: words.dismiss, run: dismiss },
      ],
    );
  };

  return {
    show(snapshot) {
      showButtons(snapshot);
      showHealth(snapshot);
      showQuiet(snapshot);
      const isShown = level !== 'none' && snapshot.status !== 'failed';
      notice.show(isShown ? options.toExternalSites(snapshot) : []);
    },
    focusClose: () => close.focus({ preventScroll: true }),
    handles: { head, bar, button: move },
  };
};
