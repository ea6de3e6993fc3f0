import { CasementError } from '@casement/protocol';

/** Lets a bounded number of calls run at once, a bounded number wait, and refuses the rest. */
export interface CallGate {
  run<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T>;
}

/** A gate with `maxRunning` places and a queue of `maxWaiting`. */
export const createCallGate = (maxRunning: number, maxWaiting: number): CallGate => {
  const waiting: (() => void)[] = [];
  let running = 0;

  const enter = async (signal: AbortSignal): Promise<void> => {
    if (running < maxRunning) {
      running += 1;
      return;
    }
    if (waiting.length >= maxWaiting) {
      throw new CasementError('rate-limited', 'Too many calls of this app are under way.', {
        hint: `Wait for answers: ${maxRunning} calls run at once and ${maxWaiting} may wait.`,
      });
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(new CasementError('cancelled', 'The call was cancelled before it began.'));
      };
      const go = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      waiting.push(go);
      signal.addEventListener('abort', leave, { once: true });
    });
  };

  return {
    async run(signal, call) {
      await enter(signal);
      try {
        return await call();
      } finally {
        // A waiting call takes over the place, so the count stays as it is.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
};
