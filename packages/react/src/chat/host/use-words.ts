import { useChat } from './chat-host.js';
import type { ChatShellWords, ChatWords } from './chat-words.js';
import { defaultChatWords } from './chat-words.js';

/** The words of the chat, with the sentences for what goes wrong. */
type SaidWords = ChatWords & Pick<ChatShellWords, 'failures'>;

/** Put together once for each set of words, not once for each component that says something. */
const known = new WeakMap<ChatShellWords, SaidWords>();

/** The words of the chat: the embedder's where it has any. */
export const toChatWords = (words: ChatShellWords | undefined): SaidWords => {
  if (!words) return defaultChatWords;
  const whole = known.get(words) ?? { ...defaultChatWords, ...words, ...words.chat };
  known.set(words, whole);
  return whole;
};

/** The words of the chat given above. */
export const useWords = (): SaidWords => toChatWords(useChat().words);
