import { useRef } from 'react';
import { useChat } from '../host/chat-host.js';
import { focusComposer } from '../controls/composer-focus.js';
import { useWords } from '../host/use-words.js';

/** What stands in a thread that has no message yet. */
export const EmptyThread = () => {
  const { conversation, prompts = [] } = useChat();
  const words = useWords();
  const place = useRef<HTMLDivElement>(null);
  const choose = (prompt: string): void => {
    // The buttons go away with the first message, and the focus would with them.
    if (place.current) focusComposer(place.current);
    void conversation.send(prompt);
  };
  return (
    <div ref={place} className="casement-empty">
      <p className="casement-empty-title">{words.emptyTitle}</p>
      <p>{words.emptyText}</p>
      {prompts.length > 0 && (
        <ul>
          {prompts.map((prompt) => (
            <li key={prompt}>
              <button type="button" className="casement-prompt" onClick={() => choose(prompt)}>
                {prompt}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
