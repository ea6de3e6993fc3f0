import type { MountedApp } from '@casement/host';
import { isOver } from './stage-element.js';

/** Resolves when the app can be told something, or never will. */
export const settled = (app: MountedApp, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      const snapshot = app.getSnapshot();
      if (snapshot.status !== 'ready' && !isOver(snapshot) && !signal.aborted) return;
      stop();
      signal.removeEventListener('abort', look);
      resolve();
    };
    const stop = app.subscribe(look);
    signal.addEventListener('abort', look);
    look();
  });
