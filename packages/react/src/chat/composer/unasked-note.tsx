import { useChat, useConversation } from '../host/chat-host.js';
import { useWords } from '../host/use-words.js';

/** Says, where the user writes, that calls of the model are not asked about, and ends that. */
export const UnaskedNote = () => {
  const { conversation } = useChat();
  const isUnasked = useConversation(({ toolCalls }) => toolCalls === 'run');
  const words = useWords();
  return (
    // There from the start, so that what comes into it is announced.
    <div role="status">
      {isUnasked && (
        <p className="casement-unasked">
          {words.unasked}{' '}
          <button type="button" className="casement-button" onClick={() => conversation.setToolCalls('ask')}>
            {words.askAgain}
          </button>
        </p>
      )}
    </div>
  );
};
