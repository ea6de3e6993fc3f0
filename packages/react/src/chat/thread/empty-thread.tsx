import { useChat } from '../chat-host.js';
import { useWords } from './use-words.js';

/** What stands in a thread that has no message yet. */
export const EmptyThread = () => {
  const { conversation, prompts = [] } = useChat();
  const words = useWords();
  return (
    <div className="casement-empty">
      <p className="casement-empty-title">{words.emptyTitle}</p>
      <p>{words.emptyText}</p>
      {prompts.length > 0 && (
        <ul>
          {prompts.map((prompt) => (
            <li key={prompt}>
              <button
                type="button"
                className="casement-prompt"
                onClick={() => void conversation.send(prompt)}
              >
                {prompt}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
