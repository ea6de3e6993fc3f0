'use client';

import type { KeyboardEvent } from 'react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useChat, useConversation } from '../host/chat-host.js';
import { CommandList } from './command-list.js';
import { PendingContexts } from '../content/delivered-contexts.js';
import { ServerProblems } from './server-problems.js';
import { ToolsOnOffer } from './tools-on-offer.js';
import { UnaskedNote } from './unasked-note.js';
import { useCommands } from './use-commands.js';
import { useWords } from '../host/use-words.js';
import { WaitingNote } from './waiting-note.js';

/** The props of `<ChatComposer>`. */
export interface ChatComposerProps {
  /** Hears what is written but not sent yet. */
  onDraft?(draft: string): void;
  /** Another object than before puts its text into the field, ready to be changed and sent. */
  readonly suggestion?: { readonly text: string };
}

/** Where the user writes, sees which tools there are, and stops an answer. */
export const ChatComposer = ({ onDraft, suggestion }: ChatComposerProps) => {
  const { conversation } = useChat();
  const isBusy = useConversation(({ status }) => status === 'running' || status === 'waiting');
  const words = useWords();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setOwnDraft] = useState('');
  const setDraft = (next: string): void => {
    setOwnDraft(next);
    onDraft?.(next);
  };
  const [caret, setCaret] = useState<number>();
  const put = (next: string): void => {
    setDraft(next);
    // To the first value that is to be filled in.
    const gap = next.search(/(?<=: ?")"|(?<=\{)\}/);
    setCaret(gap < 0 ? next.length : gap);
  };
  const commands = useCommands(draft, put);
  const [taken, setTaken] = useState<object>();
  useEffect(() => {
    if (!suggestion || suggestion === taken) return;
    setTaken(suggestion);
    put(suggestion.text);
  });
  useLayoutEffect(() => {
    if (caret === undefined) return;
    field.current?.focus();
    field.current?.setSelectionRange(caret, caret);
    setCaret(undefined);
  }, [caret]);

  const send = (): void => {
    if (draft.trim() === '') return;
    setDraft('');
    void conversation.send(draft);
  };
  const stop = (): void => {
    // The button goes away with the answer, and the focus would with it.
    field.current?.focus();
    void conversation.stop();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While a word is being composed, keys are the input method's; some browsers say so by this code only.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (commands.onKey(event)) return;
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return;
    event.preventDefault();
    send();
  };
  const { found, active } = commands;
  const hasList = found !== undefined && found.length > 0;
  return (
    <form
      className="casement-composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
        field.current?.focus();
      }}
    >
      <ServerProblems />
      <WaitingNote />
      <UnaskedNote />
      <PendingContexts />
      <CommandList commands={commands} />
      <div className="casement-field">
        <textarea
          ref={field}
          rows={1}
          aria-label={words.message}
          placeholder={words.placeholder}
          value={draft}
          aria-autocomplete="list"
          aria-controls={hasList ? commands.id : undefined}
          aria-activedescendant={hasList ? commands.toOptionId(active) : undefined}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="casement-field-foot">
          <ToolsOnOffer />
          {isBusy && (
            <button type="button" className="casement-button" onClick={stop}>
              {words.stop}
            </button>
          )}
          {(!isBusy || draft.trim() !== '') && (
            <button className="casement-button casement-button-primary" aria-disabled={draft.trim() === ''}>
              {isBusy ? words.queue : words.send}
            </button>
          )}
        </div>
      </div>
    </form>
  );
};
