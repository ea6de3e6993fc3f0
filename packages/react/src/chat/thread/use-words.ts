import { useMemo } from 'react';
import { useChat } from '../chat-host.js';
import type { ChatWords } from './chat-words.js';
import { defaultChatWords } from './chat-words.js';

/** The words of the chat: the embedder's where it has any. */
export const useWords = (): ChatWords => {
  const { words } = useChat();
  return useMemo(() => ({ ...defaultChatWords, ...words }), [words]);
};
