import { toPrintable } from '@casement/protocol/basics';
import { memo, useEffect, useSyncExternalStore } from 'react';
import { useChat } from '../host/chat-host.js';
import { CodeBlock } from './code-block.js';
import type { MarkdownView } from './markdown-view.js';
import { toTextBlocks } from './text-blocks.js';

// Longer than what people read at once. Beyond it text is shown as it was written: parsing it would hold the page.
const maxBlock = 20_000;
const maxParsed = 100_000;

/** The props of a text. */
interface TextViewProps {
  readonly text: string;
  /** A model wrote it, in Markdown; what people and apps wrote is shown as it is. */
  readonly isMarkdown: boolean;
}

/** What a person or a model wrote, never as HTML; the embedder's `renderText` replaces it. */
export const TextView = memo(({ text, isMarkdown }: TextViewProps) => {
  const { renderText } = useChat();
  return (
    <div className="casement-text">
      {renderText ? renderText(text) : <Blocks {...{ text, isMarkdown }} />}
    </div>
  );
});

/** Blocks only ever grow at the end, so their place is their key. */
const Blocks = ({ text, isMarkdown }: TextViewProps) => {
  const Markdown = useMarkdown(isMarkdown);
  let place = 0;
  return toTextBlocks(toPrintable(text, Infinity, { lines: 'keep' })).map((block, index) => {
    if (block.type === 'code') return <CodeBlock key={index} text={block.text} language={block.language} />;
    place += block.text.length;
    return Markdown && block.text.length <= maxBlock && place <= maxParsed ? (
      <Markdown key={index} text={block.text} />
    ) : (
      <p key={index}>{block.text}</p>
    );
  });
};

/** The part that knows Markdown: loaded once for the page, with the first text that a model wrote. */
let loaded: typeof MarkdownView | undefined;
let loading: Promise<void> | undefined;
const listeners = new Set<() => void>();

const load = async (): Promise<void> => {
  try {
    loaded = (await import('./markdown-view.js')).MarkdownView;
    for (const listener of [...listeners]) listener();
  } catch {
    // Text stays plain until the next one is shown, which tries again.
    loading = undefined;
  }
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Undefined until it is loaded, and on a server. */
const useMarkdown = (isWanted: boolean): typeof MarkdownView | undefined => {
  useEffect(() => {
    if (isWanted) loading ??= load();
  }, [isWanted]);
  const view = useSyncExternalStore(
    subscribe,
    () => loaded,
    () => undefined,
  );
  return isWanted ? view : undefined;
};
