import type { ConversationFailure } from '../conversation-failure.js';
import type { ConversationMessage, DeliveredContext, DynamicToolPart } from '../message/message.js';
import { isOver, isToolPart } from '../message/message.js';
import type { OfferedTool, ToolClash } from '../tools/offered-tools.js';
import type { ServerProblem } from '../tools/tool-lists.js';

/** Everything there is to show of a conversation; a new object each time something changed. */
export interface ConversationState {
  /** `waiting` is for the answer to at least one approval. */
  readonly status: 'idle' | 'running' | 'waiting' | 'failed';
  readonly failure?: ConversationFailure;
  readonly messages: readonly ConversationMessage[];
  /** Messages that came during a turn; each starts its own when that is over. */
  readonly queued: readonly ConversationMessage[];
  readonly tools: readonly OfferedTool[];
  readonly clashes: readonly ToolClash[];
  readonly problems: readonly ServerProblem[];
  /** Whether calls of the model that may do more than read are asked about (`ask`), or run unasked. */
  readonly toolCalls: 'ask' | 'run';
  /** What goes to the model with the next user message. */
  readonly pendingContext: readonly DeliveredContext[];
}

/** The one place where a conversation changes. */
export interface ConversationStore {
  getSnapshot(): ConversationState;
  set(patch: Partial<ConversationState>): void;
  subscribe(listener: () => void): () => void;
  append(message: ConversationMessage): void;
  remove(messageId: string): void;
  update(messageId: string, change: (message: ConversationMessage) => ConversationMessage): void;
  /** Changes a call that is not over; what ended stays as it ended. */
  updateCall(messageId: string, toolCallId: string, patch: Partial<Omit<DynamicToolPart, 'type'>>): void;
}

/** Creates the store of one conversation; it calls its subscribers after every change. */
export const createConversationStore = (initial: ConversationState): ConversationStore => {
  const listeners = new Set<() => void>();
  let state = initial;

  const set = (patch: Partial<ConversationState>): void => {
    state = { ...state, ...patch };
    for (const listener of [...listeners]) {
      try {
        listener();
      } catch (error) {
        // A mistake in drawing must not stop the turn, nor go unheard.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  };
  const update: ConversationStore['update'] = (messageId, change) =>
    set({
      messages: state.messages.map((message) => (message.id === messageId ? change(message) : message)),
    });

  return {
    getSnapshot: () => state,
    set,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    append: (message) => set({ messages: [...state.messages, message] }),
    remove: (messageId) => set({ messages: state.messages.filter(({ id }) => id !== messageId) }),
    update,
    updateCall: (messageId, toolCallId, patch) =>
      update(messageId, (message) => ({
        ...message,
        parts: message.parts.map((part) =>
          isToolPart(part) && part.toolCallId === toolCallId && !isOver(part) ? { ...part, ...patch } : part,
        ),
      })),
  };
};
