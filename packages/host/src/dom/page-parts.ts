import type { HostContext } from '@casement/protocol';
import { maxFonts, throwCodeMissing, toPrintable } from '../core/loaded/loaded.js';
import type { SessionFailure } from '../core/state/session-state.js';
import type { AppSnapshot } from '../core/state/app-snapshot.js';
import type { QuietPageCode } from '../core/state/quiet-page.js';
import type { Session } from '../core/session/session.js';
import type { AppLayout } from './frame/app-layout.js';
import type { readPage } from './build-host-context.js';
import { createAppChrome } from './chrome/app-chrome.js';
import type { ChromeActions } from './chrome/chrome-controls.js';
import { toExternalSites } from './chrome/external-sites.js';
import { createConsoleReport } from './console-report.js';
import { createFocusGuard } from './focus/focus-guard.js';
import { isAround, questions } from './focus/keyboard-lock.js';
import { createFrameStyle } from './frame/frame-style.js';
import type { FrameSurface, ReadyFrame } from './frame/frame-surface.js';
import {
  createFrameSurface,
  createFrameTransport,
  frameEnds,
  readFrameFacts,
} from './frame/frame-surface.js';
import { createFrameElement } from './frame/frame-element.js';
import { askFrameUse } from './frame/frame-use.js';
import { loadDefaultStyles } from './load-default-styles.js';
import type { toAppProblem, toFailedText } from './failure-text.js';
import type { MountAppOptions } from './mount-app-options.js';
import type { PageExtras } from './page-extras.js';
import { watchPage, watchRoom } from './page-watch.js';
import { parkFrame } from './frame/parking.js';
import { watchRemoval } from './frame/removal-watch.js';

/** For frames that are made before their app: they are made and watched like any other. */
export const frameParts = {
  askFrameUse,
  createFocusGuard,
  createFrameElement,
  createFrameTransport,
  frameEnds,
  readFrameFacts,
  watchRemoval,
};

/** What a mounted app needs besides its frame: loaded on demand, so that a page without apps does not pay for it. */
export interface PageParts {
  readonly surface: FrameSurface;
  /** Resolves when an app may stand in front of the page: the way out of that is there. Undefined if it is by now. */
  readyModes(): Promise<void> | undefined;
  stop(): void;
}

/** Makes the surface, draws the chrome, watches page, room, focus and removal, and keeps the modes. */
export const createPageParts = (given: {
  readonly layout: AppLayout;
  readonly session: Session;
  readonly options: MountAppOptions;
  readonly appName: string;
  /** What is there already, handed over so that bundlers keep it where it is. */
  readonly readPage: typeof readPage;
  readonly toAppProblem: typeof toAppProblem;
  readonly toFailedText: typeof toFailedText;
  /** Frames that were made ready before, if there are some. */
  readonly ready: ReadyFrame | undefined;
  /** Whether the app's place was in the document when it was mounted. */
  readonly wasConnected: boolean;
}): PageParts => {
  const { layout, session, options, appName, ready, readPage, toAppProblem, toFailedText } = given;
  const { wrapper, head } = layout;
  /** An app that may reach other sites does so under the eyes of the user. */
  const guard = async (): Promise<void> => {
    if (!extras && reachesSites(session.getSnapshot())) await bringExtras();
  };
  const surface = createFrameSurface({
    layout,
    title: options.title ?? `MCP App: ${appName}`, // S1-71
    fonts: options.fonts,
    readPage,
    guard,
    ...(options.openLink ? { openLink: options.openLink } : {}),
    onWrongOrigin: (origin) => session.note('dropped', { reason: 'wrong origin', origin }),
    ready,
  });
  const page = wrapper.ownerDocument;
  const level = options.chrome ?? 'minimal';
  const frame = (): HTMLIFrameElement | undefined => surface.frame;

  const leaveMode = (): void => {
    if (options.onModeChosen?.('inline') === false) return;
    const declared = session.getSnapshot().appCapabilities?.availableDisplayModes;
    // An app that does not know inline (HOST-048) would keep the page covered for good.
    if (declared && !declared.includes('inline')) void session.close('The user closed the app.');
    else session.setDisplayMode('inline');
  };
  const actions: ChromeActions = {
    leaveMode,
    enter(mode) {
      if (options.onModeChosen?.(mode) !== false) session.setDisplayMode(mode);
    },
    stop: () => session.stop(),
    reload: () => session.reload(),
    open: (url) => surface.openLink(url),
  };
  const { words } = options;
  const chrome = createAppChrome({ head, level, server: options.server.name, appName, words });
  const style = createFrameStyle(wrapper, frame, level);
  const report = createConsoleReport({
    server: options.server.name,
    logPolicy: options.logPolicy !== false,
  });

  let extras: PageExtras | undefined;
  let coming: Promise<void> | undefined;
  const reachesSites = (snapshot: AppSnapshot): boolean =>
    level !== 'none' && toExternalSites(snapshot).length > 0;
  const loadExtras = async (): Promise<void> => {
    const { createPageExtras } = await import('./page-extras.js').catch((error: unknown) => {
      // A reload tries again.
      coming = undefined;
      return throwCodeMissing(error);
    });
    if (isOver) return;
    const lock = { isAround, questions };
    const here = { toAppProblem, toExternalSites, toPrintable, isQuiet, lock };
    extras = createPageExtras({ layout, chrome, options, appName, actions, frame, ...here });
    show(session.getSnapshot());
  };
  const bringExtras = (): Promise<void> => (coming ??= loadExtras());
  const needsExtras = (snapshot: AppSnapshot): boolean => {
    if (snapshot.displayMode !== 'inline' || level === 'full') return true;
    if (level === 'none') return false;
    return snapshot.failure !== undefined || isQuiet(snapshot) || reachesSites(snapshot);
  };
  /** What could not be shown must not happen unseen, nor without a way to end it. */
  const onMissing = ({ code, message, hint }: Pick<SessionFailure, 'code' | 'message' | 'hint'>): void => {
    session.note('finding', { code, message });
    const snapshot = session.getSnapshot();
    const { status, failure, displayMode } = snapshot;
    if (status === 'failed' && failure && options.showFailures !== false)
      return chrome.showFailed(toFailedText(failure, words));
    if (displayMode !== 'inline') leaveMode();
    else if (failure?.code === 'app-not-responding') session.stop();
    else if (reachesSites(snapshot))
      session.fail({ step: 'sandbox', code, message, ...(hint === undefined ? {} : { hint }) });
  };

  let isOver = false;
  let unpark: (() => void) | undefined;
  /** Hides an app that is being closed, whoever closed it, and takes the keyboard away from it. */
  const park = (): void => {
    extras?.stop();
    layout.rest();
    unpark = parkFrame(wrapper, () => session.skipTeardown('too-many'));
    frame()?.blur();
  };
  const show = (snapshot: AppSnapshot): void => {
    report.show(snapshot);
    // What was moved away is left as it is.
    if (unpark) return;
    if (snapshot.status === 'tearing-down') return park();
    style.show(snapshot);
    chrome.show(snapshot);
    if (extras) extras.show(snapshot);
    else if (needsExtras(snapshot)) bringExtras().catch(onMissing);
    layout.setRoom(snapshot.hostContext.containerDimensions);
  };

  let defaults: NonNullable<HostContext['styles']>['variables'] = {};
  const tellPage = (): void => {
    const context = readPage({ container: layout.place, fonts: options.fonts });
    const variables = { ...defaults, ...context.styles?.variables };
    const styles = { ...context.styles, variables };
    session.setSurfaceContext({ ...context, styles, containerDimensions: layout.measure() });
  };
  if (options.defaultStyles) {
    void loadDefaultStyles().then((styles) => {
      defaults = styles;
      if (session.getSnapshot().status !== 'closed') tellPage();
    });
  }

  if ((options.fonts?.length ?? 0) > maxFonts)
    session.note('finding', {
      code: 'message-too-large',
      message: `The font CSS for apps has ${options.fonts?.length} characters; apps are told none of it.`,
      fix: `Give at most ${maxFonts} characters in fonts: rules that name files, not the files themselves.`,
    });

  const onPageHide = (): void => session.skipTeardown('pagehide');
  window.addEventListener('pagehide', onPageHide);
  const stops = [
    () => window.removeEventListener('pagehide', onPageHide),
    session.subscribe(() => show(session.getSnapshot())),
    watchPage(page, tellPage),
    watchRoom([wrapper, head], () => {
      if (!unpark) extras?.place(session.getSnapshot().displayMode);
      session.setSurfaceContext({ containerDimensions: layout.measure() });
    }),
    createFocusGuard({
      wrapper,
      frame,
      askUse: askFrameUse,
      onStrike: (strikes) => session.note('finding', { code: 'focus-taken', strikes }),
      isParked: () => unpark !== undefined,
      onStop: () => (unpark ? session.skipTeardown('keyboard-taken') : session.fail(keyboardTaken)),
    }),
    () => extras?.stop(),
    watchRemoval(wrapper, given.wasConnected, () => session.skipTeardown('removed-by-others')),
  ];
  if (session.getSnapshot().status !== 'closed') show(session.getSnapshot());
  return {
    surface,
    readyModes: () => (extras ? undefined : bringExtras()),
    stop() {
      isOver = true;
      for (const stop of stops) stop();
      unpark?.();
    },
  };
};

const quietPageCode: QuietPageCode = 'page-silent';

const isQuiet = ({ findings }: AppSnapshot): boolean => findings.some(({ code }) => code === quietPageCode);

const keyboardTaken: SessionFailure = {
  step: 'running',
  code: 'keyboard-taken',
  message: 'The app was stopped: it took the keyboard while you were typing elsewhere.',
  hint: 'Reload it if you trust it. In the app, take the focus only when the user clicks or presses a key in it.',
};
