import type { AppSnapshot, MountedApp } from '@casement/host';

/** The element apps are mounted in. No view makes, moves or replaces it: moving a frame would reload it. */
export interface StageElement {
  readonly root: HTMLElement;
  readonly app: HTMLElement;
  /** Writes the attributes that programs read; at once, so that no state is missed that lasts a moment. */
  show(snapshot: AppSnapshot | undefined): void;
}

/** Whether a session has come to its end. */
export const isOver = (snapshot: AppSnapshot | undefined): boolean =>
  snapshot === undefined || snapshot.status === 'closed' || snapshot.status === 'failed';

/** Resolves when the app is ready or has ended, or the signal aborts. */
export const waitUntilSettled = (app: MountedApp, signal: AbortSignal): Promise<void> =>
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

/** Creates `#stage`, once for the life of the page. */
export const createStageElement = (): StageElement => {
  const root = document.createElement('div');
  const app = document.createElement('div');
  root.id = 'stage';
  root.className = 'stage';
  app.id = 'app';
  app.className = 'app';
  root.append(app);
  const show = (snapshot: AppSnapshot | undefined): void => {
    const status = snapshot?.status ?? 'idle';
    // The documented words have none for the moments of teardown: the last one stays until the app is gone.
    if (status !== 'tearing-down') root.dataset.appStatus = status;
    root.dataset.appFailure = snapshot?.failure?.code ?? '';
    root.dataset.appEpoch = String(snapshot?.epoch ?? 0);
    const mode = isOver(snapshot) ? 'inline' : (snapshot?.displayMode ?? 'inline');
    const { dataset } = document.documentElement;
    // Apps are told of every change of these attributes, which is a change again: one that is none must not begin it.
    if (dataset.displayMode !== mode) dataset.displayMode = mode;
  };
  show(undefined);
  return { root, app, show };
};
