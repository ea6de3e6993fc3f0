import { memo, useEffect, useState } from 'react';
import { useChat } from '../host/chat-host.js';
import { useWords } from '../host/use-words.js';

/** Code with its language and a button that copies it. */
export const CodeBlock = memo(({ text, language }: { readonly text: string; readonly language: string }) => (
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
