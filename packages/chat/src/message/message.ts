import type { CallToolResult, ContentBlock, Implementation, Tool } from '@casement/protocol';

/** How far a tool call of the conversation is (S1-42, with the question in between). */
type ToolPartState =
  | 'input-streaming'
  | 'input-available'
  | 'approval-requested'
  | 'output-available'
  | 'output-error'
  | 'cancelled';

/** What both kinds of tool part carry. */
interface CallOfTool {
  readonly toolCallId: string;
  /** The server the tool is of, or the app that offers it. */
  readonly source: ToolSource;
  /** The tool as it was on offer when it was called; absent when there was none of that name. */
  readonly tool?: Tool;
  readonly state: ToolPartState;
  /** The arguments' JSON text as far as the model has written it. */
  readonly inputText?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly output?: CallToolResult;
  readonly errorText?: string;
  /** The name of what went wrong, from the list of the conversation. */
  readonly errorCode?: string;
}

/** Where a tool comes from; shown with every call and question (HOST-096). */
export type ToolSource =
  | { readonly kind: 'server'; readonly server: string; readonly tool: string }
  | {
      readonly kind: 'app';
      readonly server: string;
      readonly session: string;
      readonly tool: string;
      readonly app?: { readonly name: string; readonly version: string };
    };

/** A call of a tool whose name is part of the type (S1-22). */
interface StaticToolPart extends CallOfTool {
  readonly type: `tool-${string}`;
}

/** A call of a tool known only at run time (S1-22). */
export interface DynamicToolPart extends CallOfTool {
  readonly type: 'dynamic-tool';
  readonly toolName: string;
}

/** A tool call in a message, in either form. */
export type ToolPart = StaticToolPart | DynamicToolPart;

/** An app as an item of a message; the names are those chat products use (S5-09…S5-19). */
export interface McpAppItem {
  readonly response_type: 'mcp_app';
  readonly title: string;
  /** Stays the same for the life of the item. */
  readonly mcp_app_id: string;
  readonly aria_label?: string;
  readonly fallback_text?: string;
  readonly resource_uri?: string;
  readonly resource_html?: string;
  readonly tool_name?: string;
  readonly tool_call_id?: string;
  /** Inline unless said. */
  readonly display_mode?: 'inline' | 'fullscreen' | 'pip';
  /** The server the app is of; not needed with resource_html. */
  readonly server?: string;
}

/** One piece of a message. */
export type MessagePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'content'; readonly content: ContentBlock }
  | { readonly type: 'mcp-app'; readonly item: McpAppItem }
  | ToolPart;

/** One message of the conversation as people see it. */
interface ChatMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parts: readonly MessagePart[];
  /** The app that wrote it, when it was not the user (T21). */
  readonly from?: { readonly server: string; readonly app: string };
}

/** What an app gives the model to know. */
export interface ModelContext {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/** The app that wrote a message or offers a tool. */
export interface MessageApp {
  readonly server: string;
  readonly resource: string;
  readonly info?: Implementation;
}

/** Why a model ended a step. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'other';

/** What an app gave the model to know, with a user message; without `context` the app took back what it gave. */
export interface DeliveredContext {
  readonly app: {
    readonly id: string;
    readonly server: string;
    readonly name?: string;
    readonly version?: string;
    readonly toolCallId?: string;
  };
  readonly context?: ModelContext;
}

/** A message; one of the assistant is one step of the model, so a turn with tool calls has several. */
export interface ConversationMessage extends ChatMessage {
  /** What the apps gave the model to know with this message of the user. */
  readonly context?: readonly DeliveredContext[];
  /** Why the model ended this step, once it did. */
  readonly finish?: FinishReason;
}

/** True for a tool call in either form. */
export const isToolPart = (part: MessagePart): part is ToolPart =>
  part.type === 'dynamic-tool' || part.type.startsWith('tool-');

/** True for a call that will not change any more. */
export const isOver = ({ state }: ToolPart): boolean =>
  state === 'output-available' || state === 'output-error' || state === 'cancelled';
