// The requests of `window.mcpApp`: sent once the handshake is done, each with a time limit.
const TIMEOUT_MS = 30_000;

interface Answer {
  readonly id?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message?: string };
}

/** Sends requests and brings their answers home. */
export const createShimRequests = (post: (message: object) => void) => {
  const open = new Map<unknown, (answer: Answer) => void>();
  let waiting: (() => void)[] | undefined = [];
  let count = 0;

  const whenReady = (action: () => void): void => {
    if (waiting) waiting.push(action);
    else action();
  };
  const request = (method: string, params: object, begin: (action: () => void) => void) =>
    new Promise<NonNullable<Answer['result']>>((resolve, reject) => {
      // Of a kind of its own: the app may send requests besides.
      const id = `mcpApp-${(count += 1)}`;
      const timer = setTimeout(() => {
        open.delete(id);
        reject(new Error(`Request timeout: ${method}`));
      }, TIMEOUT_MS);
      open.set(id, ({ result, error }) => {
        clearTimeout(timer);
        if (error) reject(new Error(error.message ?? 'Unknown error'));
        else resolve(result ?? {});
      });
      begin(() => post({ id, method, params }));
    });

  return {
    whenReady,
    /** Before the handshake is done nothing else may be asked. */
    send: (method: string, params: object) => request(method, params, whenReady),
    sendNow: (method: string, params: object) => request(method, params, (action) => action()),
    /** The handshake is done, by whomever: what waited is sent. */
    ready: (): void => {
      const actions = waiting ?? [];
      waiting = undefined;
      for (const action of actions) action();
    },
    /** Takes an answer; false when it belongs to somebody else's request. */
    settle: (answer: Answer): boolean => {
      const take = open.get(answer.id);
      open.delete(answer.id);
      take?.(answer);
      return take !== undefined;
    },
  };
};
