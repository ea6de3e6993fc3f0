import { toFailureText } from '@casement/host';
import { toPrintable } from '@casement/protocol/basics';
import { useRef } from 'react';
import { useChat, useConversation } from '../host/chat-host.js';
import { focusComposer } from '../controls/composer-focus.js';
import { useWords } from '../host/use-words.js';

/** Why the last answer could not be finished, under its name, and the way on; what was said stays as it is. */
export const FailureNotice = () => {
  const { conversation } = useChat();
  const failure = useConversation((state) => state.failure);
  const words = useWords();
  const place = useRef<HTMLDivElement>(null);
  if (!failure) return null;
  const { code, message, hint } = failure;
  const isOurs = words.failures?.[code] === undefined;
  const retry = (): void => {
    // The button goes away with the failure, and the focus would with it.
    if (place.current) focusComposer(place.current);
    void conversation.retry();
  };
  return (
    <div ref={place} className="casement-failure" role="alert" data-code={failure.code}>
      <p className="casement-failure-title">{words.failureTitle}</p>
      <p>{toPrintable(toFailureText({ code, message }, words.failures), 2_000, { lines: 'keep' })}</p>
      {isOurs && hint !== undefined && <p>{toPrintable(hint, 2_000, { lines: 'keep' })}</p>}
      <div className="casement-answers">
        <button type="button" className="casement-button" onClick={retry}>
          {words.retry}
        </button>
        <code>{failure.code}</code>
      </div>
    </div>
  );
};
