export { createConversation } from './conversation/conversation.js';
export type { Conversation, ConversationOptions } from './conversation/conversation-types.js';
export type { ConversationFailureCode } from './conversation-failure.js';
export type { ConversationApp } from './apps/conversation-apps.js';
export type { ConversationState } from './turn/conversation-store.js';
export { toCallEmbedded, toCallItem, toToolName } from './message/items-of-calls.js';
export {
  MessageResponseTypes,
  parseGenericItem,
  parseMcpAppItem,
  toAccessibleName,
  toRequestedMode,
} from './message/items.js';
export type { GenericItem } from './message/items.js';
export { isToolPart } from './message/message.js';
export type {
  ConversationMessage,
  DeliveredContext,
  McpAppItem,
  MessagePart,
  ToolPart,
  ToolSource,
} from './message/message.js';
export { createGatewayModel } from './model/gateway-model.js';
export type { ChatModel, ModelEvent, ModelRequest } from './model/model.js';
export { parseModelScript } from './scripted/scripted-script.js';
export { createScriptedModel } from './scripted/scripted-model.js';
export type { ShellState } from './shell/shell-state.js';
export { toDisplayMode, toOpeningMode, toPanelItem, toWorkspaceItem } from './shell/shell-state.js';
export { createShellStore } from './shell/shell-store.js';
export type { ShellStore } from './shell/shell-store.js';
export type { ApprovalAnswer, ApprovalMemory, ApprovalPolicy } from './tools/approvals.js';
export { getToolServerId } from './tools/offered-tools.js';
export type { OfferedTool } from './tools/offered-tools.js';
