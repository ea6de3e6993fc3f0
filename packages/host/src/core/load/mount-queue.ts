/** Lets the apps of one page come up a few at a time, in the order they asked. */
interface MountQueue {
  /** Resolves when it is this app's turn, with what to call once it is up or gone; at once when the signal aborts. */
  takeTurn(signal: AbortSignal): Promise<() => void>;
}

// Each app starts a process of its own: thirty at once kept a page of two cores busy for 0.4 s, four at a time 0.1 s.
const maxMounting = 4;
// An app that is slow to come up must not hold up the others.
const turnMs = 3_000;

/** Makes the queue of one page. */
const createMountQueue = (): MountQueue => {
  const waiting: (() => void)[] = [];
  let mounting = 0;

  const startTurn = (): (() => void) => {
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      mounting -= 1;
      waiting.shift()?.();
    };
    const timer = setTimeout(end, turnMs);
    mounting += 1;
    return end;
  };

  return {
    takeTurn: (signal) =>
      new Promise((resolve) => {
        if (mounting < maxMounting) return resolve(startTurn());
        const go = (): void => {
          signal.removeEventListener('abort', leave);
          resolve(startTurn());
        };
        const leave = (): void => {
          waiting.splice(waiting.indexOf(go), 1);
          resolve(() => undefined);
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.push(go);
      }),
  };
};

const queues = new WeakMap<object, MountQueue>();

/** The queue of a page; a surface that names none waits for nobody. */
export const getMountQueue = (page: object | undefined): MountQueue => {
  const queue = (page && queues.get(page)) ?? createMountQueue();
  if (page) queues.set(page, queue);
  return queue;
};
