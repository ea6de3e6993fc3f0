import { memo, useEffect, useState, useSyncExternalStore } from 'react';
import { useChat } from '../host/chat-host.js';
import type { MarkdownBlocks } from './markdown-view.js';
import { createOnDemand } from './on-demand.js';
import { PlainBlocks } from './plain-blocks.js';
import { createTextReader } from './text-blocks.js';

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

const Blocks = ({ text, isMarkdown }: TextViewProps) => {
  const [read] = useState(createTextReader);
  const Markdown = useMarkdown(isMarkdown);
  const isGrowing = useGrowing(text);
  const groups = read(text);
  return Markdown ? <Markdown groups={groups} isGrowing={isGrowing} /> : <PlainBlocks groups={groups} />;
};

/** The part that knows Markdown: loaded with the first text that a model wrote, and tried again with the next if it fails. */
const markdown = createOnDemand<typeof MarkdownBlocks>(
  async () => (await import('./markdown-view.js')).MarkdownBlocks,
);

/** Undefined until it is loaded, and on a server. */
const useMarkdown = (isWanted: boolean): typeof MarkdownBlocks | undefined => {
  useEffect(() => {
    if (isWanted) markdown.want();
  }, [isWanted]);
  const view = useSyncExternalStore(markdown.subscribe, markdown.get, () => undefined);
  return isWanted ? view : undefined;
};

/** True from a change of the text until it has been the same for a moment. */
const useGrowing = (text: string): boolean => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (settled === text) return;
    const timer = setTimeout(() => setSettled(text), 300);
    return () => clearTimeout(timer);
  }, [settled, text]);
  return settled !== text;
};
