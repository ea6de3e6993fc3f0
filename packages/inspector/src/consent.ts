import type { ConsentAnswer } from '@casement/host';
import type { Readable } from './store.js';
import { createStore } from './store.js';

/** One question to the user; everything in it may be foreign text. */
export interface ConsentQuestion {
  title: string;
  /** What is decided on, shown first and alone on its line: a host name, a file, or the app that speaks. */
  subject: string;
  asker: string;
  warnings?: readonly string[];
  detail: string;
  allow: string;
  /** What a yes from now on would cover; absent where there is no such yes. */
  always?: string;
}

/** The question on the screen, if there is one. */
interface OpenQuestion {
  readonly question: ConsentQuestion;
  /** Whether it takes an answer yet. */
  readonly armed: boolean;
}

/** Questions to the user, one at a time. */
export interface Consent extends Readable<OpenQuestion | undefined> {
  /** Asks; the question goes away, answered with no, when the signal aborts. */
  ask(question: ConsentQuestion, signal?: AbortSignal): Promise<ConsentAnswer>;
  answer(answer: ConsentAnswer): void;
  /** Escape and the like: no, at any time. */
  dismiss(): void;
}

// A dialog that appears under a double click must not be answered by its second half (E10).
const armAfterMs = 500;

/** Creates the consent; while one question is open every other is answered with no (E08). */
export const createConsent = (): Consent => {
  const store = createStore<OpenQuestion | undefined>(undefined);
  let settle: ((answer: ConsentAnswer) => void) | undefined;

  const end = (answer: ConsentAnswer): void => {
    store.set(undefined);
    settle?.(answer);
    settle = undefined;
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    ask: (question, signal) => {
      if (settle || signal?.aborted) return Promise.resolve(false);
      const opened = { question, armed: false };
      store.set(opened);
      setTimeout(() => {
        if (store.get() === opened) store.set({ question, armed: true });
      }, armAfterMs);
      return new Promise((resolve) => {
        const onGone = (): void => end(false);
        signal?.addEventListener('abort', onGone, { once: true });
        settle = (answer) => {
          signal?.removeEventListener('abort', onGone);
          resolve(answer);
        };
      });
    },
    answer: (answer) => {
      if (store.get()?.armed) end(answer);
    },
    dismiss: () => {
      if (store.get()) end(false);
    },
  };
};
