import { toPanelItem } from '@casement/chat';
import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import { useChat, useConversation, useShell } from '../host/chat-host.js';
import { toOpenQuestions } from '../calls/open-questions.js';
import { useWords } from '../host/use-words.js';

/** Says that a question waits which nobody can see now, scrolled away or under an app, and leads to it. */
export const WaitingNote = () => {
  const { shell } = useChat();
  const words = useWords();
  const ids = useConversation(({ messages }) =>
    toOpenQuestions(messages)
      .map(({ toolCallId }) => toolCallId)
      .join(' '),
  );
  const covering = useShell(toPanelItem);
  const isWholeChat = useShell((state) => state.mcpAppPanelState.isOpen);
  const place = useRef<HTMLDivElement>(null);
  const isInView = useAnswersInView(place, ids);
  const show = (): void => {
    if (covering) shell.show(covering, 'inline');
    const question = findQuestion(place);
    void question?.scrollIntoView({ block: 'nearest' });
    question?.focus({ preventScroll: true });
  };
  return (
    <div ref={place}>
      {ids !== '' && (covering || !isInView) && (
        <p className="casement-waiting" data-over={isWholeChat || undefined}>
          {words.waitingNote}{' '}
          <button type="button" className="casement-button" onClick={show}>
            {words.showQuestion}
          </button>
        </p>
      )}
    </div>
  );
};

const findQuestion = (place: RefObject<HTMLElement | null>): HTMLElement | null | undefined =>
  place.current?.closest('.casement-chat')?.querySelector<HTMLElement>('.casement-question');

/** True until it is known that the answers of the first question are out of the scroll area. */
const useAnswersInView = (place: RefObject<HTMLElement | null>, ids: string): boolean => {
  const [isInView, setInView] = useState(true);
  useEffect(() => {
    const answers = findQuestion(place)?.querySelector('.casement-answers');
    if (!answers) return;
    const watch = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? true), {
      root: answers.closest('.casement-scroll'),
    });
    watch.observe(answers);
    return () => {
      watch.disconnect();
      setInView(true);
    };
  }, [place, ids]);
  return isInView;
};
