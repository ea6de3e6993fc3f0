import { defaultLimits } from '../core/limits.js';
import { createSession } from '../core/session/session.js';
import { createAppLayout } from './frame/app-layout.js';
import { createFrameSurface } from './frame/frame-surface.js';
import type { MountAppOptions } from './mount-app-options.js';
import type { MountedApp } from '../core/session-options.js';
import type { PageParts } from './page-parts.js';

/** Shows the UI of a tool in `container` and returns at once; the snapshot tells how far it is. */
export const mountApp = (container: HTMLElement, options: MountAppOptions): MountedApp => {
  const wasConnected = container.isConnected;
  const layout = createAppLayout(container, {
    initial: 400,
    min: 0,
    max: options.limits?.maxHeight ?? defaultLimits.maxHeight,
    ...options.inlineHeight,
  });
  const appName = options.name ?? options.tool?.title ?? options.tool?.name ?? options.server.name;
  const surface = createFrameSurface({
    layout,
    title: options.title ?? `MCP App: ${appName}`, // S1-71
    fonts: options.fonts,
    ...(options.openLink ? { openLink: options.openLink } : {}),
    onWrongOrigin: (origin) => session.note('dropped', { reason: 'wrong origin', origin }),
  });
  const session = createSession(options, surface);
  let parts: PageParts | undefined;

  const isClosed = (): boolean => session.getSnapshot().status === 'closed';
  const unsubscribe = session.subscribe(() => {
    if (!isClosed()) return;
    unsubscribe();
    parts?.stop();
    layout.remove();
  });
  // What is drawn around an app and watches over it: here long before the app is.
  import('./page-parts.js').then(
    ({ createPageParts }) => {
      if (isClosed()) return;
      parts = createPageParts({ layout, surface, session, options, appName, wasConnected });
    },
    (error: unknown) => session.note('finding', { code: 'internal', message: String(error) }),
  );

  session.start();
  return session;
};
