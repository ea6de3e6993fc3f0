/** The calls that wait for the user; only the last message can have any, as the turn waits for it. */
export const toOpenQuestions = (messages: readonly ConversationMessage[]): readonly ToolPart[] =>
  messages
    .at(-1)
    ?.parts.filter(isToolPart)
    .filter(({ state }) => state === 'approval-requested') ?? [];
import type { ConversationMessage, ToolPart } from '@casement/chat';
import { isToolPart } from '@casement/chat';
