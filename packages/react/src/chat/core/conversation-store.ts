import type { ConversationMessage, ConversationState } from './conversation-types.js';
import type { DynamicToolPart, MessagePart, ToolPart } from './parts.js';

/** The one place where a conversation changes. */
export interface ConversationStore {
  get(): ConversationState;
  set(patch: Partial<ConversationState>): void;
  subscribe(listener: () => void): () => void;
  append(message: ConversationMessage): void;
  remove(messageId: string): void;
  update(messageId: string, change: (message: ConversationMessage) => ConversationMessage): void;
  /** Changes a call that is not over; what ended stays as it ended. */
  updateCall(messageId: string, toolCallId: string, patch: Partial<Omit<DynamicToolPart, 'type'>>): void;
}

/** True for a tool call in either form. */
export const isToolPart = (part: MessagePart): part is ToolPart =>
  part.type === 'dynamic-tool' || part.type.startsWith('tool-');

/** True for a call that will not change any more. */
export const isOver = ({ state }: ToolPart): boolean =>
  state === 'output-available' || state === 'output-error' || state === 'cancelled';

/** A store whose subscribers hear of every change. */
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
    get: () => state,
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
