export { parseGenericItem, parseMcpAppItem } from './core/items-parse.js';
export type { ItemProblem, ParsedItem } from './core/items-parse.js';
export {
  isMcpAppItem,
  MessageResponseTypes,
  toAccessibleName,
  toItemText,
  toMessageParts,
  toRequestedMode,
} from './core/items.js';
export type { GenericItem, MessageResponseType, TextItem } from './core/items.js';
export type {
  AssistantBlock,
  ChatModel,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelTool,
  ModelToolResult,
} from './core/model.js';
export type {
  ChatMessage,
  DynamicToolPart,
  McpAppItem,
  MessagePart,
  StaticToolPart,
  ToolPart,
  ToolPartState,
  ToolSource,
} from './core/parts.js';
