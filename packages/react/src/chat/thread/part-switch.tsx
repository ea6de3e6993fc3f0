import { McpAppMessage } from '../apps/mcp-app-message.js';
import { useChat } from '../chat-host.js';
import { isToolPart } from '../core/conversation-store.js';
import { toCallItem } from '../core/items-of-calls.js';
import type { MessagePart, ToolPart } from '../core/parts.js';
import { ToolCard } from './tool-card.js';

/** Draws one part of a message: text, content, an app, or a tool call with the app of its tool below (S1-22). */
export const PartSwitch = ({ part }: { readonly part: MessagePart }) => {
  const { renderText } = useChat();
  if (isToolPart(part)) return <ToolCall part={part} />;
  if (part.type === 'mcp-app') return <McpAppMessage item={part.item} />;
  if ('text' in part) return <div className="casement-text">{renderText?.(part.text) ?? part.text}</div>;
  return <pre className="casement-json">{JSON.stringify(part.content, undefined, 2)}</pre>;
};

const ToolCall = ({ part }: { readonly part: ToolPart }) => {
  const item = toCallItem(part);
  return (
    <>
      <ToolCard part={part} />
      {item && <McpAppMessage item={item} call={part} />}
    </>
  );
};
