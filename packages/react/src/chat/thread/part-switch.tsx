'use client';

import { McpAppMessage } from '../apps/mcp-app-message.js';
import { isToolPart } from '../core/conversation-store.js';
import { toCallItem } from '../core/items-of-calls.js';
import type { MessagePart, ToolPart } from '../core/parts.js';
import { ContentView } from './content-view.js';
import { TextView } from './text-view.js';
import { ToolCard } from './tool-card.js';

/** Draws one part of a message: text, content, an app, or a tool call with the app of its tool below (S1-22). */
export const PartSwitch = ({ part }: { readonly part: MessagePart }) => {
  if (isToolPart(part)) return <ToolCall part={part} />;
  if (part.type === 'mcp-app') return <McpAppMessage item={part.item} />;
  if (part.type === 'content' && 'content' in part) return <ContentView block={part.content} />;
  return 'text' in part ? <TextView text={part.text} /> : null;
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
