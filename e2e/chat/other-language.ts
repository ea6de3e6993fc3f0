import { errorCodes } from '@casement/protocol/basics';
import type { ChatShellWords } from '@casement/react/chat';
import { conversationCodes } from '../../packages/chat/src/conversation-failure.js';
import { defaultChatWords } from '@casement/react/chat';
import { toDialogWords } from '../../packages/host/dist/dialogs/dialog-words.js';
import { toChromeWords } from '../../packages/host/dist/dom/chrome/chrome-words.js';

/** Each word as its own name between marks, so that whatever is said in another way can be found. */
const translate = <Words extends object>(words: Words): Words =>
  // The same keys with values of the same kind.
  Object.fromEntries(
    Object.entries(words).map(([name, value]) => {
      if (typeof value === 'function') return [name, (...given: unknown[]) => `‹${name} ${given.join(' ')}›`];
      return [name, typeof value === 'object' ? translate(value as object) : `‹${name}›`];
    }),
  ) as Words;

/** Every word of a chat in a language of marks. */
export const toOtherLanguage = (): ChatShellWords => ({
  chat: translate(defaultChatWords),
  chrome: translate(toChromeWords()),
  dialogs: translate(toDialogWords()),
  failures: Object.fromEntries([...errorCodes, ...conversationCodes].map((code) => [code, `‹${code}›`])),
});
