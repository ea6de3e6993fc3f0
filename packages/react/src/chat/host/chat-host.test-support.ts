import type { ConversationState } from '@casement/chat';
import { createShellStore } from '@casement/chat';
import type { ChatHost } from './chat-host.js';

const idle: ConversationState = {
  status: 'idle',
  messages: [],
  queued: [],
  tools: [],
  clashes: [],
  problems: [],
  toolCalls: 'ask',
  pendingContext: [],
};

const never = (): never => {
  throw new Error('Nobody asks while a page is only drawn.');
};

/** A chat in which nothing happens: what is drawn of it needs no browser. */
export const createStillChat = (state: Partial<ConversationState> = {}): ChatHost => {
  const snapshot = { ...idle, ...state };
  return {
    conversation: {
      getSnapshot: () => snapshot,
      subscribe: () => () => undefined,
      send: never,
      sendFromApp: never,
      stop: never,
      retry: never,
      answerApproval: never,
      setToolCalls: never,
      registerApp: never,
      addItem: never,
      setModel: never,
      setServers: never,
      refreshTools: never,
      toModelRequest: never,
      createMessage: never,
      close: never,
    },
    shell: createShellStore(),
    sandbox: { base: 'https://apps.example.net' },
    toServer: () => undefined,
    announce: never,
  };
};
