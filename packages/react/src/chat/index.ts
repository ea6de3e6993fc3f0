export { AppPanel } from './apps/app-panel.js';
export { AppWorkspace } from './apps/app-workspace.js';
export { McpAppInline } from './apps/mcp-app-inline.js';
export type { McpAppInlineProps } from './apps/mcp-app-inline.js';
export { McpAppMessage } from './apps/mcp-app-message.js';
export type { McpAppMessageProps } from './apps/mcp-app-message.js';
export { McpAppPreviewCard } from './apps/mcp-app-preview-card.js';
export type { McpAppPreviewCardProps } from './apps/mcp-app-preview-card.js';
export { ChatProvider, useChat, useConversation, useShell } from './chat-host.js';
export type { ChatAppOptions, ChatHost } from './chat-host.js';
export { ChatShell } from './chat-shell.js';
export type { ChatShellProps } from './chat-shell.js';
export type {
  ApprovalAnswer,
  ApprovalDecision,
  ApprovalKey,
  ApprovalMemory,
  ApprovalPolicy,
  ApprovalRequest,
  ApprovalSetting,
} from './core/approvals.js';
export { conversationCodes } from './core/conversation-types.js';
export type {
  AppMessage,
  Conversation,
  ConversationApp,
  ConversationFailure,
  ConversationFailureCode,
  ConversationLimits,
  ConversationMessage,
  ConversationOptions,
  ConversationState,
  DeliveredContext,
  ServerProblem,
} from './core/conversation-types.js';
export { createConversation } from './core/conversation.js';
export { createGatewayModel } from './core/gateway-model.js';
export type { GatewayModelOptions } from './core/gateway-model.js';
export { parseGenericItem, parseMcpAppItem } from './core/items-parse.js';
export type { ItemProblem, ParsedItem } from './core/items-parse.js';
export { toCallItem, toToolName } from './core/items-of-calls.js';
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
export { getToolServerId } from './core/offered-tools.js';
export type { OfferedTool, ToolClash } from './core/offered-tools.js';
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
export type { CreateMessage } from './core/sampling.js';
export { parseModelScript } from './core/scripted-script.js';
export type { ModelScript, ScriptedCall, ScriptedTurn } from './core/scripted-script.js';
export { createScriptedModel } from './core/scripted.js';
export type { ScriptedModelOptions } from './core/scripted.js';
export type { BeforeShellEvent, ShellChange, ShellEvents } from './core/shell-events.js';
export { initialShellState, reduceShell } from './core/shell-state.js';
export type {
  McpAppPanelState,
  ShellAction,
  ShellLimits,
  ShellState,
  WorkspaceState,
} from './core/shell-state.js';
export {
  isViewing,
  toDisplayMode,
  toOpeningMode,
  toPanelItem,
  toPipOwner,
  toWorkspaceItem,
} from './core/shell-view.js';
export { createShellStore } from './core/shell.js';
export type { ShellOptions, ShellOutcome, ShellStore } from './core/shell.js';
export { ChatComposer } from './thread/chat-composer.js';
export type { ChatComposerProps } from './thread/chat-composer.js';
export { ChatThread } from './thread/chat-thread.js';
export { defaultChatWords } from './thread/chat-words.js';
export type { ChatShellWords, ChatWords } from './thread/chat-words.js';
export { PartSwitch } from './thread/part-switch.js';
export { ToolCard } from './thread/tool-card.js';
export type { ToolCardProps } from './thread/tool-card.js';
export { ToolList } from './thread/tools-on-offer.js';
