'use client';

import type { OfferedTool } from '@casement/chat';
import { toPrintable } from '@casement/protocol/basics';
import { useEffect, useId, useRef, useState } from 'react';
import { useConversation } from '../host/chat-host.js';
import { BoundedText, JsonText } from '../content/bounded-text.js';
import { Disclosure } from '../controls/disclosure.js';
import { ToolName, toSourceWords } from '../calls/tool-source.js';
import { useWords } from '../host/use-words.js';

/** The button that shows what the model may use now. */
export const ToolsOnOffer = () => {
  const tools = useConversation((state) => state.tools);
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: PointerEvent): void => {
      // The event comes from this page, so its target is a node.
      if (!place.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div
      ref={place}
      className="casement-offer"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        close();
      }}
    >
      <button
        ref={button}
        type="button"
        className="casement-quiet-button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {words.tools(tools.length)}
      </button>
      {isOpen && (
        <div id={id} className="casement-offer-list" role="region" aria-label={words.toolsTitle}>
          <div className="casement-offer-head">
            <b>{words.toolsTitle}</b>
            <button type="button" className="casement-quiet-button" onClick={close}>
              {words.closeTools}
            </button>
          </div>
          <ToolList />
        </div>
      )}
    </div>
  );
};

/** Every tool the model may use, with its source, and which names clashed (HOST-096). */
export const ToolList = () => {
  const tools = useConversation((state) => state.tools);
  const clashes = useConversation((state) => state.clashes);
  const words = useWords();
  return (
    <div className="casement-offer-body" tabIndex={0} role="group" aria-label={words.toolsTitle}>
      {tools.length === 0 && <p className="casement-note">{words.noTools}</p>}
      {clashes.map(({ tool, offered }) => (
        <div key={tool} className="casement-clash">
          <p>{words.clash(toPrintable(tool, 120))}</p>
          <ul>
            {offered.map(({ source, name }) => (
              <li key={name}>{words.clashName(toSourceWords(source, words), name)}</li>
            ))}
          </ul>
        </div>
      ))}
      <ul className="casement-tools">
        {tools.map((offered) => (
          <ToolEntry key={offered.name} offered={offered} />
        ))}
      </ul>
    </div>
  );
};

/** All that the model is told of a tool. */
const ToolEntry = ({ offered: { name, tool, source } }: { readonly offered: OfferedTool }) => {
  const words = useWords();
  const { description = '', inputSchema } = tool;
  return (
    <li data-source={source.kind}>
      <ToolName source={source} name={name} />
      {description.length > 300 ? (
        <BoundedText text={description} name={name} />
      ) : (
        description !== '' && <p className="casement-note">{toPrintable(description, 3_000)}</p>
      )}
      <Disclosure title={words.input}>{() => <JsonText value={inputSchema} name={words.input} />}</Disclosure>
    </li>
  );
};
