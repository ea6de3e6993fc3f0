import type { Surface } from '../surface.js';

/** What is being done for an app, or asked of it, that it would lose with its frame. */
export interface UnderWay {
  /** Does something under a name and knows of it meanwhile. */
  during<T>(name: string, run: () => T | Promise<T>): Promise<T>;
  /** Whether something is under way for which the app has to stay. */
  holds(): boolean;
  /** The document is new, or gone: it waits for nothing. */
  clear(): void;
}

interface Doing {
  readonly name: string;
  readonly since: number;
  isUsers: boolean;
  asking?: ReturnType<typeof setTimeout>;
}

/** How long a call that no user asked for keeps an app: some wait for news of their server in a call that never ends. */
const holdMs = 3_000;
/** Most calls are over by then, and nobody has to know who wanted them; browsers remember an action for longer. */
const askMs = 500;

/**
 * Creates the list of one session. An app stays as long as the user is asked something for it, or waits for a call that
 * began with something they did in it; a call that the app makes by itself keeps it for a moment only.
 */
export const createUnderWay = (surface: Pick<Surface, 'hasUserActivation'>): UnderWay => {
  const all = new Set<Doing>();
  const forget = (doing: Doing): void => {
    clearTimeout(doing.asking);
    all.delete(doing);
  };
  return {
    async during(name, run) {
      const doing: Doing = { name, since: performance.now(), isUsers: name !== 'tools/call' };
      all.add(doing);
      const ask = (): void =>
        void surface.hasUserActivation().then(
          (isActive) => (doing.isUsers = isActive),
          () => undefined,
        );
      if (!doing.isUsers) doing.asking = setTimeout(ask, askMs);
      try {
        return await run();
      } finally {
        forget(doing);
      }
    },
    holds: () => [...all].some(({ isUsers, since }) => isUsers || performance.now() - since < holdMs),
    clear: () => all.forEach(forget),
  };
};
