import { defaultLimits } from '../core/limits.js';
import { throwCodeMissing } from '../core/missing-code.js';
import { createSession } from '../core/session/session.js';
import { readPage } from './build-host-context.js';
import { toAppProblem, toFailedText } from './failure-text.js';
import type { Member } from './crowd/members.js';
import { joinCrowd, wantMember } from './crowd/join-crowd.js';
import type { MountedApp } from '../core/session-options.js';
import type { AppLayout } from './frame/app-layout.js';
import { createAppLayout } from './frame/app-layout.js';
import type { ReadyFrame } from './frame/frame-surface.js';
import { createFrameSurface } from './frame/frame-surface.js';
import { askFrameUse } from './frame/frame-use.js';
import type { MountAppOptions } from './mount-app-options.js';
import type { PageParts } from './page-parts.js';

/** A place with frames that were made ready before. */
export interface ReadyPlace extends ReadyFrame {
  readonly layout: AppLayout;
  /** What watches over an app is there: its frame may be heard from now on. */
  guarded(): void;
}

/**
 * Shows the UI of a tool in `container` and returns at once; the snapshot tells how far it is. An app whose place is far
 * from what is seen is idle until it comes near.
 */
export const mountApp = (container: HTMLElement, options: MountAppOptions): MountedApp =>
  mountIn(container, options);

/** The same, in a place with frames that are ready, if there is one. */
export const mountIn = (container: HTMLElement, options: MountAppOptions, ready?: ReadyPlace): MountedApp => {
  const wasConnected = container.isConnected;
  const layout = ready?.layout ?? createPlace(container, options);
  const appName = toAppName(options);
  let parts: PageParts | undefined;
  let coming: Promise<void> | undefined;
  // What is drawn around an app and watches over it; a reload tries again to load it.
  const guard = (): Promise<void> => (coming ??= bringParts());
  const surface = createFrameSurface({
    layout,
    title: options.title ?? `MCP App: ${appName}`, // S1-71
    fonts: options.fonts,
    guard,
    ...(options.openLink ? { openLink: options.openLink } : {}),
    onWrongOrigin: (origin) => session.note('dropped', { reason: 'wrong origin', origin }),
    ready,
  });
  const session = createSession(options, surface);

  const isClosed = (): boolean => session.getSnapshot().status === 'closed';
  const bringParts = async (): Promise<void> => {
    try {
      const { createPageParts } = await import('./page-parts.js').catch(throwCodeMissing);
      const here = { readPage, askFrameUse, toAppProblem };
      const given = { layout, surface, session, options, appName, wasConnected };
      if (!isClosed()) parts = createPageParts({ ...given, ...here });
      ready?.guarded();
    } catch (error) {
      coming = undefined;
      throw error;
    }
  };
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
    frame: () => surface.frame,
    keeps: async () => Object(await surface.readView?.()).keeps === true,
    begin() {
      session.start();
      // Side by side with the session's own code; a failure is told by the session, which waits for it.
      guard().catch(() => undefined);
    },
  };
  const leaveCrowd = joinCrowd(member);
  return {
    ...session,
    setDisplayMode(mode) {
      session.setDisplayMode(mode);
      if (mode !== 'inline') wantMember(member);
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
