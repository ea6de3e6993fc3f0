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
