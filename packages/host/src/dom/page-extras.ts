import type { DisplayMode } from '@casement/protocol';
import type { toPrintable } from '@casement/protocol/basics';
import type { AppSnapshot } from '../core/state/app-snapshot.js';
import type { AppChrome } from './chrome/app-chrome.js';
import type { ChromeActions } from './chrome/chrome-controls.js';
import { createChromeControls } from './chrome/chrome-controls.js';
import { controlWords } from './chrome/control-words.js';
import type { toExternalSites } from './chrome/external-sites.js';
import type { toAppProblem } from './failure-text.js';
import type { AppLayout } from './frame/app-layout.js';
import { createCardMover } from './frame/card-mover.js';
import { createModeKeeper } from './frame/mode-keeper.js';
import { createTopLayer } from './frame/top-layer.js';
import type { MountAppOptions } from './mount-app-options.js';

// A page of many apps has some with controls. An app that gives up its frame is read before, by scripts in its page.
export { watchCrowd } from './crowd/crowd.js';
export { askFrameFetch, askFrameView, giveFrameView } from './frame/frame-scripts.js';
// An app whose sandbox does not come up is shown as failed, with controls.
export { diagnoseSandbox } from './sandbox/diagnose-sandbox.js';

/** What a page shows besides for some apps: controls, lines about trouble and sites, and the modes in front of it. */
export interface PageExtras {
  show(snapshot: AppSnapshot): void;
  /** The room of the app changed: the page may have a place for it now, or none any more. */
  place(mode: DisplayMode): void;
  /** Leaves every mode. */
  stop(): void;
}

/** Makes what a plain inline app does without: loaded for the first app that needs any of it. */
export const createPageExtras = (given: {
  readonly layout: AppLayout;
  readonly chrome: AppChrome;
  readonly options: MountAppOptions;
  readonly appName: string;
  readonly actions: ChromeActions;
  readonly toAppProblem: typeof toAppProblem;
  readonly toExternalSites: typeof toExternalSites;
  readonly toPrintable: typeof toPrintable;
  readonly lock: Parameters<typeof createTopLayer>[1];
  /** Whether the app is a page elsewhere that says nothing. */
  isQuiet(snapshot: AppSnapshot): boolean;
  frame(): HTMLIFrameElement | undefined;
}): PageExtras => {
  const { layout, chrome, options, appName, actions, frame } = given;
  const { wrapper, head } = layout;
  const { server, chrome: level = 'minimal' } = options;
  const own = options.words;
  const words = {
    ...controlWords,
    ...own,
    ...own?.chrome,
    failures: { ...own?.failures, ...own?.chrome?.failures },
  };
  const controls = createChromeControls({
    ...given,
    chrome,
    head,
    level,
    identity: server.identity,
    words,
    showFailures: options.showFailures ?? true,
  });
  const modes = createModeKeeper({
    wrapper,
    label: words.dialog(appName, server.name),
    frame,
    isAround: given.lock.isAround,
    focusHead: () => (level === 'none' ? frame()?.focus() : controls.focusClose()),
    leave: actions.leaveMode,
  });
  const top = createTopLayer(layout, given.lock);
  layout.raise = (mode) => top.follow(mode);

  let stopMoving: (() => void) | undefined;
  const followCard = (mode: DisplayMode): void => {
    const isFloating = level !== 'none' && mode === 'pip';
    if (isFloating) stopMoving ??= createCardMover(wrapper, controls.handles);
    else {
      stopMoving?.();
      stopMoving = undefined;
    }
  };

  return {
    show(snapshot) {
      const { displayMode } = snapshot;
      top.follow(displayMode);
      // The way in, which has the focus, goes with the chrome's next look and comes back with the one after.
      if (displayMode !== 'inline') modes.show(displayMode);
      controls.show(snapshot);
      modes.show(displayMode);
      followCard(displayMode);
    },
    place: (mode) => top.follow(mode),
    stop() {
      modes.stop();
      followCard('inline');
      layout.raise = undefined;
      top.leave();
    },
  };
};
