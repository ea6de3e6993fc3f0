import type { DisplayMode } from '@casement/protocol';
import type { McpAppItem, MessagePart } from './parts.js';

/** The kinds of item a message is made of, under the names chat products use (S5-09, S5-83). */
export const MessageResponseTypes = { TEXT: 'text', MCP_APP: 'mcp_app' } as const;

/** One of the kinds of item. */
export type MessageResponseType = (typeof MessageResponseTypes)[keyof typeof MessageResponseTypes];

/** Plain text as an item of a message. */
export interface TextItem {
  readonly response_type: typeof MessageResponseTypes.TEXT;
  readonly text: string;
}

/** Any item of a message (S5-83). */
export type GenericItem = TextItem | McpAppItem;

/** Whether an item of a message is an app. */
export const isMcpAppItem = (item: GenericItem): item is McpAppItem =>
  item.response_type === MessageResponseTypes.MCP_APP;

/** The mode an item asks for; inline unless it says otherwise (S5-18). */
export const toRequestedMode = (item: McpAppItem): DisplayMode => item.display_mode ?? 'inline';

/** What assistive technology calls an app: its label, or else its title (S5-12). */
export const toAccessibleName = (item: McpAppItem): string => {
  const label = item.aria_label?.trim();
  return label ? label : item.title;
};

/** An item as words alone: for a copy of the conversation, an announcement, or a place without frames. */
export const toItemText = (item: GenericItem): string => {
  if (!isMcpAppItem(item)) return item.text;
  const fallback = item.fallback_text?.trim();
  return fallback ? fallback : toAccessibleName(item);
};

/** The items a page wrote as parts of a message, so that an app goes where any other item goes (S5-20). */
export const toMessageParts = (items: readonly GenericItem[]): readonly MessagePart[] =>
  items.map((item) => (isMcpAppItem(item) ? { type: 'mcp-app', item } : { type: 'text', text: item.text }));
