import { useChat } from '../chat-host.js';
import type { ChatWords } from './chat-words.js';
import { defaultChatWords } from './chat-words.js';

/** Put together once for each set of words, not once for each component that says something. */
const known = new WeakMap<Partial<ChatWords>, ChatWords>();

/** The words of the chat: the embedder's where it has any. */
export const useWords = (): ChatWords => {
  const { words } = useChat();
  if (!words) return defaultChatWords;
  const whole = known.get(words) ?? { ...defaultChatWords, ...words };
  known.set(words, whole);
  return whole;
};
