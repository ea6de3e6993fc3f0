import type { ConversationMessage } from '@casement/chat';
import { useEffect } from 'react';
import { useChat } from '../host/chat-host.js';
import { toOpenQuestions } from '../calls/open-questions.js';
import { toSourceWords } from '../calls/tool-source.js';
import { useWords } from '../host/use-words.js';

const maxSpoken = 300;

/** Tells people who do not see the screen when an answer is complete and when a tool waits for them. */
export const useAnnouncements = (): void => {
  const { conversation, announce } = useChat();
  const words = useWords();
  useEffect(() => {
    let before = conversation.getSnapshot();
    const asked = new Set(toOpenQuestions(before.messages).map(({ toolCallId }) => toolCallId));
    return conversation.subscribe(() => {
      const { status, messages } = conversation.getSnapshot();
      const wasBusy = before.status === 'running' || before.status === 'waiting';
      before = conversation.getSnapshot();
      if (wasBusy && status === 'idle') {
        const answer = toSpokenAnswer(messages);
        announce(answer === undefined ? words.stopped : words.answered(answer));
      }
      const fresh = toOpenQuestions(messages).filter(({ toolCallId }) => !asked.has(toolCallId));
      for (const { toolCallId } of fresh) asked.add(toolCallId);
      if (fresh.length === 0) return;
      announce(
        fresh.map(({ source }) => words.asksApproval(source.tool, toSourceWords(source, words))).join(' '),
      );
    });
  }, [conversation, announce, words]);
};

/** The beginning of the answer; undefined when the model did not come to an end. */
const toSpokenAnswer = (messages: readonly ConversationMessage[]): string | undefined => {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || last.finish === undefined) return undefined;
  const text = last.parts.flatMap((part) => ('text' in part ? part.text : [])).join(' ');
  return text.length > maxSpoken ? `${text.slice(0, maxSpoken)}…` : text;
};
