/** How long one reader may work before everything else gets its turn. */
const SLICE_MS = 4;
/** From this size on, each step of handling a message takes a turn of its own. */
export const BIG_MESSAGE_BYTES = 64 * 1024;

const waiting: (() => void)[] = [];

/** One reader per turn of the event loop: ten busy servers together hold it no longer than one. */
const resumeNext = (): void => {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeNext);
};

/** Waits until sockets, timers and the other readers had their turn. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resumeNext);
  });

/** The time one reader of a stream may take at a stretch. */
export interface Slice {
  readonly isOver: boolean;
  /** Waits for a turn and begins a new slice. */
  rest(): Promise<void>;
}

/** Starts a slice; `isOver` also holds after a long wait, which costs one needless turn and nothing else. */
export const startSlice = (sliceMs = SLICE_MS): Slice => {
  let end = performance.now() + sliceMs;
  return {
    get isOver() {
      return performance.now() >= end;
    },
    async rest() {
      await nextTurn();
      end = performance.now() + sliceMs;
    },
  };
};
