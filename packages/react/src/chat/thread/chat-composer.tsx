import { useState } from 'react';
import { useChat, useConversation } from '../chat-host.js';

/** Where the user writes, and stops an answer. */
export const ChatComposer = () => {
  const { conversation } = useChat();
  const isBusy = useConversation(({ status }) => status === 'running' || status === 'waiting');
  const [draft, setDraft] = useState('');
  const send = (): void => {
    if (draft.trim() === '') return;
    setDraft('');
    void conversation.send(draft);
  };
  return (
    <form
      className="casement-composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea aria-label="Message" value={draft} onChange={(event) => setDraft(event.target.value)} />
      {isBusy ? (
        <button type="button" onClick={() => void conversation.stop()}>
          Stop
        </button>
      ) : (
        <button>Send</button>
      )}
    </form>
  );
};
