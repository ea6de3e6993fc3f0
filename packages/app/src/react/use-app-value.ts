import { useCallback, useSyncExternalStore } from 'react';
import type { App } from '../app.js';
import type { AppEvents } from '../session/types.js';

/** A value of the app, read again after one kind of event and after the handshake. */
export const useAppValue = <T>(
  app: App | null,
  type: keyof AppEvents,
  read: (app: App) => T | undefined,
): T | undefined => {
  const subscribe = useCallback(
    (notify: () => void) => {
      const ends = app ? [app.on('connected', notify), app.on(type, notify)] : [];
      return () => ends.forEach((end) => end());
    },
    [app, type],
  );
  return useSyncExternalStore(
    subscribe,
    () => (app ? read(app) : undefined),
    () => undefined,
  );
};
