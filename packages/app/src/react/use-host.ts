import { useCallback, useEffect } from 'react';
import type { App } from '../app.js';
import type { DisplayMode, HostContext, Theme } from '../session/types.js';
import { useAppValue } from './use-app-value.js';

/** Everything the host has told of its surroundings. */
export const useHostContext = (app: App | null): HostContext | undefined =>
  useAppValue(app, 'hostcontextchanged', (known) => known.getHostContext());

/** The host's theme; light until it is known. */
export const useTheme = (app: App | null): Theme => useHostContext(app)?.theme ?? 'light';

/** The mode in force, those the host has, and the way to ask for another. */
interface DisplayModeState {
  readonly mode: DisplayMode;
  readonly available: readonly DisplayMode[];
  /** Gives the mode in force afterwards; never rejects: a failure goes to the app's `onerror`. */
  readonly request: (mode: DisplayMode) => Promise<DisplayMode>;
}

/** The display mode of the app. */
export const useDisplayMode = (app: App | null): DisplayModeState => {
  const { displayMode = 'inline', availableDisplayModes = ['inline'] } = useHostContext(app) ?? {};
  const request = useCallback(
    async (mode: DisplayMode) => {
      try {
        return (await app?.requestDisplayMode({ mode }))?.mode ?? displayMode;
      } catch (error) {
        app?.onerror?.(error);
        return displayMode;
      }
    },
    [app, displayMode],
  );
  return { mode: displayMode, available: availableDisplayModes, request };
};

/** Reports the content's size while the component is there; for an app whose own `autoResize` is off. */
export const useAutoResize = (app: App | null): void => {
  useEffect(() => {
    let stop: (() => void) | undefined;
    const start = (): void => void (stop = app?.setupSizeChangedNotifications());
    const end = app?.on('connected', start);
    return () => {
      end?.();
      stop?.();
    };
  }, [app]);
};
