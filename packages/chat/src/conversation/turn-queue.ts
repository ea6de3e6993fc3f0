import type { ConversationMessage } from '../message/message.js';
import type { ConversationStore } from '../turn/conversation-store.js';

/** Runs the turns of a conversation, one after another. */
export interface TurnQueue {
  readonly isRunning: boolean;
  /** Queues a message, which starts a turn; fulfilled when nothing runs any more. */
  add(message: ConversationMessage): Promise<void>;
  /** Runs the turn that failed once more, from its last complete step. */
  retry(): Promise<void>;
  /** Ends the turn that runs and empties the queue; its messages stay in the conversation, unanswered. */
  stop(): Promise<void>;
}

/** What a queue needs of its conversation. */
interface TurnQueueOptions {
  readonly store: ConversationStore;
  readonly closed: AbortSignal;
  /** Adds a message to those that were said. */
  append(message: ConversationMessage): void;
  /** Runs one turn and never rejects; `onCut` names the message of a step that broke off. */
  runTurn(signal: AbortSignal, onCut: (messageId: string) => void): Promise<void>;
  /** The queue began or ended to run. */
  onChange(): void;
}

/**
 * Creates the queue of a conversation.
 *
 * 1. `add` and `retry` start a run, unless one is under way: then the message waits in the store.
 * 2. A run begins in the next microtask. A subscriber that sends in between finds it running.
 * 3. A run takes the queued messages one by one: append the message, run its turn.
 * 4. It ends when nothing is queued, a turn failed, or the conversation was closed. Between that last look into the
 *    queue and the end there is no pause, so that no message is forgotten.
 */
export const createTurnQueue = (options: TurnQueueOptions): TurnQueue => {
  const { store, closed, append, runTurn, onChange } = options;
  let running: Promise<void> | undefined;
  let turn = new AbortController();
  /** The message of the step that failed, left out when the turn is tried again. */
  let cutMessage = '';
  closed.addEventListener('abort', () => turn.abort());

  const runOne = (): Promise<void> => {
    cutMessage = '';
    return runTurn(turn.signal, (messageId) => (cutMessage = messageId));
  };
  const runQueued = async (): Promise<void> => {
    for (;;) {
      const { queued, failure } = store.getSnapshot();
      const [next, ...later] = queued;
      if (!next || failure || closed.aborted) break;
      turn = new AbortController();
      store.set({ queued: later });
      append(next);
      await runOne();
    }
    running = undefined;
    onChange();
  };
  const start = (begin: () => void | Promise<void>): Promise<void> => {
    if (running) return running;
    turn = new AbortController();
    running = Promise.resolve().then(begin).then(runQueued);
    onChange();
    return running;
  };

  return {
    get isRunning() {
      return running !== undefined;
    },
    add(message) {
      if (closed.aborted) return Promise.resolve();
      store.set({ queued: [...store.getSnapshot().queued, message] });
      return start(() => {
        store.set({ failure: undefined });
        onChange();
      });
    },
    retry() {
      if (running || !store.getSnapshot().failure || closed.aborted) return running ?? Promise.resolve();
      store.remove(cutMessage);
      store.set({ failure: undefined });
      return start(runOne);
    },
    async stop() {
      const { queued } = store.getSnapshot();
      turn.abort();
      store.set({ queued: [] });
      queued.forEach(append);
      await running;
    },
  };
};
