import type { ServerPort } from './server-port.js';

const quietMs = 100;

/** Passes a server's events on, list changes at most ten times a second however many there are (D16). */
export const watchServer = (
  server: ServerPort,
  on: { onToolsStale(): void; toolsChanged(): void; resourcesChanged(): void; lost(reason: string): void },
): (() => void) => {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const soon = (key: string, action: () => void): void => {
    if (timers.has(key)) return;
    const run = (): void => {
      timers.delete(key);
      action();
    };
    timers.set(key, setTimeout(run, quietMs));
  };
  const unsubscribe = server.subscribe((event) => {
    if (event.type === 'lost') return on.lost(event.reason);
    if (event.type === 'resources-changed') return soon('resources', on.resourcesChanged);
    if (event.type !== 'tools-changed') return;
    // The next call is judged by the new list at once; only the telling may wait.
    on.onToolsStale();
    soon('tools', on.toolsChanged);
  });
  return () => {
    unsubscribe();
    for (const timer of timers.values()) clearTimeout(timer);
  };
};
