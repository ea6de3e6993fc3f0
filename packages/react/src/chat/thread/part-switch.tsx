'use client';

import type { MessagePart, ToolPart } from '@casement/chat';
import { isToolPart, toCallItem } from '@casement/chat';
import { McpAppMessage } from '../apps/mcp-app-message.js';
import { ContentView } from '../content/content-view.js';
import { TextView } from '../content/text-view.js';
import { ToolCard } from '../calls/tool-card.js';

/** The props of `<PartSwitch>`. */
interface PartSwitchProps {
  readonly part: MessagePart;
  /** Whose words they are. Those of the assistant are Markdown; all others, and those of nobody knows whom, plain text. */
  readonly role?: 'user' | 'assistant' | undefined;
}

/** Draws one part of a message: text, content, an app, or a tool call with the app of its tool below (S1-22). */
export const PartSwitch = ({ part, role }: PartSwitchProps) => {
  if (isToolPart(part)) return <ToolCall part={part} />;
  if (part.type === 'mcp-app') return <McpAppMessage item={part.item} />;
  if (part.type === 'content' && 'content' in part) return <ContentView block={part.content} />;
  return 'text' in part ? <TextView text={part.text} isMarkdown={role === 'assistant'} /> : null;
};

const ToolCall = ({ part }: { readonly part: ToolPart }) => {
  const item = toCallItem(part);
  return (
    <>
      <ToolCard part={part} hasApp={item !== undefined} />
      {item && <McpAppMessage item={item} call={part} />}
    </>
  );
};
