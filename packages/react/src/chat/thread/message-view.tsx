import type { ConversationMessage } from '@casement/chat';
import { toPrintable } from '@casement/protocol/basics';
import { memo } from 'react';
import { DeliveredContexts } from '../content/delivered-contexts.js';
import { PartSwitch } from './part-switch.js';
import { useWords } from '../host/use-words.js';

/** One message; drawn anew only when it changed. A part keeps its place in the list, so a frame is never moved. */
export const MessageView = memo(
  ({ message, isQueued = false }: { readonly message: ConversationMessage; readonly isQueued?: boolean }) => {
    const words = useWords();
    const { role, from, context, finish } = message;
    return (
      <li
        className="casement-message"
        data-role={role}
        data-written-by={from ? 'app' : role}
        {...(isQueued ? { 'data-queued': '' } : {})}
      >
        {from ? (
          <p className="casement-author">
            <span className="casement-mark" data-source="app">
              {words.appMark}
            </span>{' '}
            {words.fromApp(toPrintable(from.app, 120), toPrintable(from.server, 80))}
          </p>
        ) : (
          <span className="casement-unseen">{role === 'user' ? words.you : words.assistant}</span>
        )}
        <div className="casement-parts">
          {message.parts.map((part, index) => (
            <PartSwitch
              key={'toolCallId' in part ? part.toolCallId : index}
              part={part}
              // What an app wrote is not the assistant's, whatever the message says.
              role={from ? 'user' : role}
            />
          ))}
        </div>
        {finish === 'length' && <p className="casement-note">{words.cutOff}</p>}
        {context && <DeliveredContexts contexts={context} />}
        {isQueued && <p className="casement-note">{words.queued}</p>}
      </li>
    );
  },
);
