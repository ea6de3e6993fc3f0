import { toPrintable } from '@casement/host';
import { memo, useEffect, useState } from 'react';
import { useChat } from '../chat-host.js';
import { toTextBlocks, toTextSpans } from './text-blocks.js';
import { useWords } from './use-words.js';

/** What a person or a model wrote: paragraphs and code, never markup; the embedder's `renderText` replaces it. */
export const TextView = memo(({ text }: { readonly text: string }) => {
  const { renderText } = useChat();
  return <div className="casement-text">{renderText ? renderText(text) : <Blocks text={text} />}</div>;
});

/** Blocks only ever grow at the end, so their place is their key. */
const Blocks = ({ text }: { readonly text: string }) =>
  toTextBlocks(toPrintable(text, Infinity, { lines: 'keep' })).map((block, index) =>
    block.type === 'code' ? (
      <CodeBlock key={index} text={block.text} language={block.language} />
    ) : (
      <Paragraph key={index} text={block.text} />
    ),
  );

const Paragraph = memo(({ text }: { readonly text: string }) => (
  <p>
    {toTextSpans(text).map((span, index) =>
      span.type === 'code' ? <code key={index}>{span.text}</code> : span.text,
    )}
  </p>
));

const CodeBlock = memo(({ text, language }: { readonly text: string; readonly language: string }) => (
  <figure className="casement-code">
    <figcaption>
      <span>{language}</span>
      <CopyButton text={text} />
    </figcaption>
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  </figure>
));

const CopyButton = ({ text }: { readonly text: string }) => {
  const words = useWords();
  const { announce } = useChat();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      announce(words.copied);
    } catch {
      // The browser said no: the text can still be selected.
    }
  };
  return (
    <button type="button" className="casement-quiet-button" onClick={() => void copy()}>
      {isCopied ? words.copied : words.copy}
    </button>
  );
};
