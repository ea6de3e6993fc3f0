import { memo } from 'react';
import { useConversation } from '../chat-host.js';
import type { ConversationMessage } from '../core/conversation-types.js';
import { PartSwitch } from './part-switch.js';

/** The messages of the conversation; where the list scrolls is the shell's to say. */
export const ChatThread = () => {
  const messages = useConversation((state) => state.messages);
  return (
    <ol className="casement-thread">
      {messages.map((message) => (
        <Message key={message.id} message={message} />
      ))}
    </ol>
  );
};

/** One message; drawn anew only when it changed. A part keeps its place in the list, so a frame is never moved. */
const Message = memo(({ message }: { readonly message: ConversationMessage }) => (
  <li data-role={message.role}>
    {message.parts.map((part, index) => (
      <PartSwitch key={'toolCallId' in part ? part.toolCallId : index} part={part} />
    ))}
  </li>
));
