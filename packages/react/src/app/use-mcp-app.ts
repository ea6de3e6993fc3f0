'use client';

import type { AppSnapshot, MountedApp } from '@casement/host';
import type { RefCallback } from 'react';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { McpAppOptions } from './live-options.js';
import type { RunningApp } from './running-app.js';
import { startApp } from './running-app.js';

/** What `useMcpApp` gives. */
export interface McpAppState {
  /** For the element the app shall live in; give it no children. */
  readonly containerRef: RefCallback<HTMLElement>;
  /** What can be done with the app; undefined until it is mounted. */
  readonly app: MountedApp | undefined;
  /** What is known of it now. */
  readonly snapshot: AppSnapshot | undefined;
}

// React 18 warns about layout effects on a server, where neither kind runs.
const useBrowserEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect;

/**
 * Mounts an app in the element `containerRef` is given to, as long as there are options. Another server, tool,
 * resource, sandbox, storage or user is another app; everything else is told to the running one, without a new frame. When the
 * component goes, the app is asked to stop and its frame stays, out of sight, until it answered.
 */
export const useMcpApp = (options: McpAppOptions | undefined): McpAppState => {
  const [container, containerRef] = useState<HTMLElement | null>(null);
  const [app, setApp] = useState<MountedApp>();
  const latest = useRef(options);
  const running = useRef<RunningApp>(undefined);
  const key = options && toKey(options);

  useBrowserEffect(() => {
    latest.current = options;
    if (options && running.current?.key === key) running.current?.deliver(options);
  });
  useBrowserEffect(() => {
    if (!container || key === undefined) return setApp(undefined);
    let mine = running.current;
    if (mine?.key !== key || mine.container !== container || mine.isOver) {
      mine?.end();
      mine = startApp(container, key, () => latest.current);
      running.current = mine;
      if (latest.current) mine.deliver(latest.current);
    }
    setApp(mine.app);
    return () => mine.park();
  }, [container, key]);
  // Hidden by a Suspense boundary an app goes on; only the end of this effect is its end. StrictMode starts it again at once.
  useEffect(() => {
    const mine = running.current;
    if (!mine || mine.isOver) return;
    mine.isWanted = true;
    return () => {
      mine.isWanted = false;
      queueMicrotask(() => {
        if (!mine.isWanted) mine.end();
      });
    };
  }, [container, key]);

  const snapshot = useSyncExternalStore(
    app?.subscribe ?? toNothing,
    () => app?.getSnapshot(),
    () => undefined,
  );
  return { containerRef, app, snapshot };
};

const toNothing = () => () => undefined;

/** The key of an app: when it changes, another app is mounted. */
const toKey = (app: McpAppOptions): string =>
  JSON.stringify([
    app.server.name,
    app.server.identity,
    app.tool?.name,
    app.resourceUri,
    app.sandbox,
    app.storage,
    app.user,
    app.family,
    toUri(app.embedded),
  ]);

/** The address in the embedded block, if there is one. The session checks the block itself. */
const toUri = (embedded: unknown): unknown =>
  (embedded as { resource?: { uri?: unknown } } | null | undefined)?.resource?.uri;
