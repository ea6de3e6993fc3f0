import type { ApprovalAnswer, ToolPart } from '@casement/chat';
import { toPrintable } from '@casement/protocol/basics';
import { readToolClaims } from '@casement/protocol/consents';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useChat } from '../host/chat-host.js';
import { AnswerButton } from '../controls/answer-button.js';
import { JsonText } from '../content/bounded-text.js';
import { focusComposer, isFocusFree } from '../controls/composer-focus.js';
import { toSourceWords } from './tool-source.js';
import { useArmed } from '../controls/use-armed.js';
import { useWords } from '../host/use-words.js';

/** Asks whether a call may be made: who has the tool, which tool it is, and with what it would be called (HOST-096). */
export const ApprovalQuestion = ({ part }: { readonly part: ToolPart }) => {
  const { conversation } = useChat();
  const words = useWords();
  const place = useRef<HTMLDivElement>(null);
  const id = useId();
  const { source, tool, input = {}, toolCallId } = part;
  const armed = useArmed(place);
  useQuestionFocus(place);
  useEscape(place, () => conversation.answerApproval(toolCallId, false));

  const isBare = Object.keys(input).length === 0;
  // Nobody should say always to what was never in sight.
  const [isSeen, setSeen] = useState(isBare);
  const whose = toSourceWords(source, words);
  const toButton = (answer: ApprovalAnswer, label: string, isPrimary = false) => (
    <AnswerButton
      armed={armed}
      isYes={answer === true || answer === 'always'}
      isPrimary={isPrimary}
      label={label}
      onAnswer={() => conversation.answerApproval(toolCallId, answer)}
    />
  );
  return (
    <div
      ref={place}
      className="casement-question"
      // The host's focus guard keeps the keyboard here against apps.
      data-mcp-question=""
      role="group"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-whose`}
      tabIndex={-1}
    >
      <p id={`${id}-title`} className="casement-question-title">
        {words.approvalTitle(toToolName(part))}
      </p>
      <p id={`${id}-whose`}>{words.approvalOf(whose)}</p>
      {readToolClaims(tool).map((claim) => (
        <p key={claim} className="casement-warning">
          {words.claim(claim, source.kind === 'app')}
        </p>
      ))}
      {isBare ? (
        <p className="casement-note">{words.noInput}</p>
      ) : (
        <>
          <p className="casement-note">{words.approvalInput}</p>
          <JsonText value={input} name={words.approvalInput} onSeen={() => setSeen(true)} />
        </>
      )}
      <div className="casement-answers">
        {toButton(false, words.deny)}
        {toButton(true, words.allowOnce, true)}
        {isSeen && toButton('always', words.allowAlways)}
        {toButton('never', words.denyAlways)}
      </div>
      <p className="casement-note">{words.approvalReach(whose, source.kind === 'app')}</p>
    </div>
  );
};

/** The name is what is called; a title alone could say anything. */
const toToolName = ({ source, tool }: ToolPart): string => {
  const name = toPrintable(source.tool, 120);
  const title = toPrintable(tool?.title ?? '', 120);
  return title === '' || title === name ? name : `${title} (${name})`;
};

/**
 * Escape is a no at any time, to the question that has the focus or else to the first: in the page itself, or in its
 * chat, where it was of no other use.
 */
const useEscape = (place: { readonly current: HTMLElement | null }, onEscape: () => void): void =>
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const question = place.current;
      const [target] = event.composedPath();
      if (event.key !== 'Escape' || event.defaultPrevented || !question || !(target instanceof Node)) return;
      const chat = question.closest('.casement-chat');
      const isFirst = chat?.querySelector('.casement-question') === question;
      const owner = target instanceof Element ? target.closest('.casement-question') : undefined;
      const isFree = target === document.body || chat?.contains(target);
      if (!(owner ? owner === question : isFirst && isFree)) return;
      event.preventDefault();
      onEscape();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });

/** Takes the focus unless it is of use elsewhere, and hands it on when the question is over. */
const useQuestionFocus = (place: { readonly current: HTMLElement | null }): void =>
  useLayoutEffect(() => {
    const question = place.current;
    if (!question) return;
    if (isFocusFree(question)) question.focus({ preventScroll: true });
    return () => {
      if (!question.contains(document.activeElement)) return;
      const chat = question.closest('.casement-chat');
      const others = chat?.querySelectorAll<HTMLElement>('.casement-question') ?? [];
      const next = [...others].find((other) => other !== question);
      if (next) next.focus();
      else focusComposer(question);
    };
  }, [place]);
