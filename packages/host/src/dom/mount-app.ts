import type { DisplayMode } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import { defaultLimits } from '../core/limits.js';
import { throwCodeMissing } from '../core/missing-code.js';
import { createSession } from '../core/session/session.js';
import { readPage } from './build-host-context.js';
import { toAppProblem, toFailedText } from './failure-text.js';
import type { Member } from './crowd/members.js';
import { joinCrowd, wantMember } from './crowd/join-crowd.js';
import type { MountedApp } from '../core/session-options.js';
import type { Surface } from '../core/surface.js';
import type { AppLayout } from './frame/app-layout.js';
import { createAppLayout } from './frame/app-layout.js';
import type { ReadyFrame } from './frame/frame-surface.js';
import type { MountAppOptions } from './mount-app-options.js';
import type { PageParts } from './page-parts.js';

/** A place with frames that were made ready before. */
export interface ReadyPlace extends ReadyFrame {
  readonly layout: AppLayout;
  /** What watches over an app is there: its frame may be heard from now on. */
  guarded(): void;
}

/** A mounted app that says when a wish for a mode was granted or refused. */
export interface PlacedApp extends Omit<MountedApp, 'setDisplayMode'> {
  setDisplayMode(mode: DisplayMode): Promise<void>;
}

/**
 * Shows the UI of a tool in `container` and returns at once; the snapshot tells how far it is. An app whose place is far
 * from what is seen is idle until it comes near.
 */
export const mountApp = (container: HTMLElement, options: MountAppOptions): MountedApp =>
  mountIn(container, options);

/** The same, in a place with frames that are ready, if there is one. */
export const mountIn = (container: HTMLElement, options: MountAppOptions, ready?: ReadyPlace): PlacedApp => {
  const wasConnected = container.isConnected;
  const layout = ready?.layout ?? createPlace(container, options);
  const appName = toAppName(options);
  let parts: PageParts | undefined;
  // The frame, what is drawn around it and what watches over it; a reload tries again to load it.
  const bringParts = async (): Promise<Surface> => {
    const { createPageParts } = await import('./page-parts.js').catch(throwCodeMissing);
    if (isClosed()) throw new CasementError('session-closed', 'The app was closed meanwhile.');
    const here = { readPage, toAppProblem, toFailedText };
    parts ??= createPageParts({ layout, session, options, appName, wasConnected, ready, ...here });
    ready?.guarded();
    return parts.surface;
  };
  /** Nothing covers the page before the way out of that is there; false when it cannot be loaded. */
  const canCover = async (): Promise<boolean> => {
    try {
      await parts?.readyModes();
      return true;
    } catch (error) {
      session.note('finding', { code: 'host-code-missing', message: String(error) });
      return false;
    }
  };
  const onDisplayMode: MountAppOptions['onDisplayMode'] = async (request) => {
    const granted = options.onDisplayMode ? await options.onDisplayMode(request) : request.mode;
    return granted === 'inline' || (await canCover()) ? granted : request.current;
  };
  const session = createSession({ ...options, onDisplayMode }, bringParts);

  const isClosed = (): boolean => session.getSnapshot().status === 'closed';
  const unsubscribe = session.subscribe(() => {
    const { status, failure } = session.getSnapshot();
    // Whoever else would say it has not come.
    if (!parts && options.showFailures !== false && options.chrome !== 'none')
      layout.head.textContent = failure ? toFailedText(failure, options.words) : '';
    if (status === 'failed') layout.hold(undefined);
    if (!isClosed()) return;
    unsubscribe();
    leaveCrowd();
    parts?.stop();
    layout.remove();
  });
  const member: Member = {
    layout,
    session,
    words: options.words,
    maxLive: options.limits?.maxLiveApps ?? defaultLimits.maxLiveApps,
    isKept: options.presence === 'always',
    isWanted: ready !== undefined || session.getSnapshot().displayMode !== 'inline',
    frame: () => parts?.surface.frame,
    hasActed: async () => (await parts?.surface.askUse())?.hasActed ?? false,
    keeps: async () => Object(await parts?.surface.readView?.()).keeps === true,
    begin: () => session.start(),
  };
  const leaveCrowd = joinCrowd(member);
  let wished: DisplayMode | undefined;
  return {
    ...session,
    async setDisplayMode(mode) {
      wished = mode;
      if (mode !== 'inline') {
        wantMember(member);
        // A later wish counts, whichever can be granted first.
        if (parts?.readyModes() && (!(await canCover()) || wished !== mode)) return;
      }
      session.setDisplayMode(mode);
    },
    reload() {
      session.reload();
      if (session.getSnapshot().status === 'idle') wantMember(member);
    },
  };
};

/** What the chrome takes above an inline app, by its style sheet. */
const headHeights = { full: 34, minimal: 28, none: 0 };

/** Makes the place of an app in `container`. */
export const createPlace = (container: HTMLElement, options: MountAppOptions): AppLayout => {
  const heights = {
    initial: 400,
    min: 0,
    max: options.limits?.maxHeight ?? defaultLimits.maxHeight,
    ...options.inlineHeight,
  };
  return createAppLayout(container, heights, headHeights[options.chrome ?? 'minimal']);
};

const toAppName = ({ name, tool, server }: MountAppOptions): string =>
  name ?? tool?.title ?? tool?.name ?? server.name;
