import { createRecording } from '@casement/protocol/basics';
import { defaultLimits } from '../core/limits.js';
import { createSession } from '../core/session.js';
import { createAppLayout } from './app-layout.js';
import { createFocusGuard } from './focus-guard.js';
import { createFrameSurface } from './frame-surface.js';
import type { MountAppOptions, MountedApp } from './mount-app-options.js';
import { watchTheme } from './page-context.js';
import { watchRemoval } from './removal-watch.js';

/** Shows the UI of a tool in `container` and returns at once; the snapshot tells how far it is. */
export const mountApp = (container: HTMLElement, options: MountAppOptions): MountedApp => {
  const recording = options.recording ?? createRecording({ writer: 'page' });
  const layout = createAppLayout(container, options.limits?.maxHeight ?? defaultLimits.maxHeight);
  const surface = createFrameSurface({
    layout,
    title: options.title ?? `MCP App: ${options.tool?.title ?? options.tool?.name ?? options.server.name}`,
    ...(options.openLink ? { openLink: options.openLink } : {}),
    onWrongOrigin: (origin) => session.note('dropped', { reason: 'wrong origin', origin }),
  });
  const session = createSession({ ...options, recording }, surface);

  const onPageHide = (): void => session.skipTeardown('pagehide');
  window.addEventListener('pagehide', onPageHide);
  const stops = [
    () => window.removeEventListener('pagehide', onPageHide),
    watchTheme((context) => session.setSurfaceContext(context)),
    watchRoom(layout.wrapper, () => session.setSurfaceContext({ containerDimensions: layout.measure() })),
    watchRemoval(layout.wrapper, () => session.skipTeardown('removed-by-others')),
    createFocusGuard({
      wrapper: layout.wrapper,
      frame: () => surface.frame,
      onStrike: (strikes) => session.note('finding', { code: 'focus-taken', strikes }),
    }),
  ];
  const unsubscribe = session.subscribe(() => {
    const { status, resource } = session.getSnapshot();
    layout.setBorder(resource?.prefersBorder);
    if (status !== 'closed') return;
    unsubscribe();
    for (const stop of stops) stop();
    layout.remove();
  });

  session.start();
  return session;
};

const quietMs = 100;

/** Tells when the room of the app changed, once it has settled for a moment; a hidden place is no room. */
const watchRoom = (element: HTMLElement, onChange: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (element.clientWidth > 0) onChange();
    }, quietMs);
  });
  observer.observe(element);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
};
