'use client';

import type { ConversationMessage } from '@casement/chat';
import { useRef } from 'react';
import { useConversation } from '../host/chat-host.js';
import { EmptyThread } from './empty-thread.js';
import { FailureNotice } from './failure-notice.js';
import { MessageView } from './message-view.js';
import { useAnnouncements } from './use-announcements.js';
import { useStayAtEnd } from './use-stay-at-end.js';
import { useWords } from '../host/use-words.js';

/** The messages of the conversation; where the list scrolls (`casement-scroll`) is the shell's to say. */
export const ChatThread = () => {
  const messages = useConversation((state) => state.messages);
  const queued = useConversation((state) => state.queued);
  const status = useConversation((state) => state.status);
  const words = useWords();
  const thread = useRef<HTMLDivElement>(null);
  const all = [...messages, ...queued];
  const { hasNews, goToEnd } = useStayAtEnd(thread, `${all.length} ${status}`, findOwn(all)?.id);
  useAnnouncements();
  const showNews = (): void => {
    // The button goes away, and the focus would with it.
    thread.current?.closest<HTMLElement>('.casement-scroll')?.focus({ preventScroll: true });
    goToEnd();
  };
  return (
    <div ref={thread} className="casement-thread">
      {all.length === 0 && <EmptyThread />}
      <ol className="casement-messages" aria-busy={status === 'running'}>
        {messages.map((message) => (
          <MessageView key={message.id} message={message} />
        ))}
      </ol>
      {status === 'running' && <p className="casement-working">{words.working}</p>}
      <FailureNotice />
      {queued.length > 0 && (
        <ol className="casement-messages casement-queue">
          {queued.map((message) => (
            <MessageView key={message.id} message={message} isQueued />
          ))}
        </ol>
      )}
      {hasNews && (
        <button type="button" className="casement-button casement-news" onClick={showNews}>
          {words.newMessages}
        </button>
      )}
    </div>
  );
};

/** The last message the user wrote, not an app in their name. */
const findOwn = (messages: readonly ConversationMessage[]): ConversationMessage | undefined =>
  messages.findLast(({ role, from }) => role === 'user' && !from);
