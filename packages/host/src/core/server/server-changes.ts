import type { ServerEvent } from '@casement/protocol/ports';

const quietMs = 100;

/** What is done for a running app when something changes at its server. */
export interface ServerChanges {
  /** Called at once, so that the next call is judged by the new list; the app may be told later. */
  toolsStale(): void;
  tellTools(): void;
  tellResources(): void;
  tellPrompts(): void;
  isFollowed(uri: string): boolean;
  tellUpdated(uri: string): void;
}

/** Takes what a server says. */
export interface ServerListener {
  hear(event: ServerEvent): void;
  /** Nobody is to be told any more. */
  stop(): void;
}

/** Passes a server's changes on, each kind at most ten times a second however many there are (D16). */
export const createServerListener = (on: ServerChanges): ServerListener => {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const soon = (key: string, action: () => void): void => {
    if (timers.has(key)) return;
    const run = (): void => {
      timers.delete(key);
      action();
    };
    timers.set(key, setTimeout(run, quietMs));
  };
  return {
    hear(event) {
      switch (event.type) {
        case 'reconnected':
          // Perhaps another version of the server: the app is told nothing, but its next call is judged anew.
          return on.toolsStale();
        case 'tools-changed':
          on.toolsStale();
          return soon('tools', on.tellTools);
        case 'resources-changed':
          return soon('resources', on.tellResources);
        case 'prompts-changed':
          return soon('prompts', on.tellPrompts);
        case 'resource-updated': {
          const { uri } = event;
          // Asked again when it is told: the app may have unsubscribed meanwhile.
          if (on.isFollowed(uri)) soon(`uri ${uri}`, () => on.isFollowed(uri) && on.tellUpdated(uri));
          return;
        }
        default:
      }
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
};
