import type { ContentBlock, ErrorCode, Implementation, Recording, ToolCallPolicy } from '@casement/protocol';
import type { AppControls, AppOptions, AppSnapshot, ModelContext, ServerPort } from '@casement/host';
import type { ApprovalAnswer, ApprovalMemory, ApprovalPolicy } from './approvals.js';
import type { ChatModel, ModelEvent, ModelRequest } from './model.js';
import type { OfferedTool, ToolClash } from './offered-tools.js';
import type { ChatMessage, McpAppItem } from './parts.js';
import type { CreateMessage } from './sampling.js';

/** What goes wrong in conversations alone; each has a row in docs/errors.md. */
export const conversationCodes = [
  'approval-denied',
  'input-malformed',
  'model-silent',
  'step-limit',
  'stream-cut',
] as const;

/** The closed list of what goes wrong in conversations, with what a model, server or app names itself. */
export type ConversationFailureCode = ErrorCode | (typeof conversationCodes)[number];

/** What went wrong, why, and what to do about it. */
export interface ConversationFailure {
  readonly code: ConversationFailureCode;
  readonly message: string;
  readonly hint?: string;
}

/** A server whose tools are not on offer now. */
export interface ServerProblem extends ConversationFailure {
  readonly server: string;
}

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
  readonly finish?: Extract<ModelEvent, { type: 'finish' }>['reason'];
}

/** Everything there is to show of a conversation; a new object each time something changed. */
export interface ConversationState {
  /** `waiting` is for the answer to at least one approval. */
  readonly status: 'idle' | 'running' | 'waiting' | 'failed';
  readonly failure?: ConversationFailure;
  readonly messages: readonly ConversationMessage[];
  /** Messages that came during a turn; each starts its own when that is over. */
  readonly queued: readonly ConversationMessage[];
  readonly tools: readonly OfferedTool[];
  readonly clashes: readonly ToolClash[];
  readonly problems: readonly ServerProblem[];
  /** Whether calls of the model that may do more than read are asked about (`ask`), or run unasked. */
  readonly toolCalls: 'ask' | 'run';
  /** What goes to the model with the next user message. */
  readonly pendingContext: readonly DeliveredContext[];
}

/** A live app as the conversation needs it; a mounted app has all of it but the first three. */
export interface ConversationApp {
  /** The item's `mcp_app_id`: the same for every mount of it. */
  readonly id: string;
  /** The call the app was shown for. */
  readonly toolCallId?: string;
  readonly server: Pick<ServerPort, 'name' | 'identity'>;
  getSnapshot(): Pick<AppSnapshot, 'status' | 'session' | 'appInfo' | 'appTools' | 'modelContext'> & {
    readonly resource?: { readonly uri: string };
  };
  subscribe(listener: () => void): () => void;
  callAppTool: AppControls['callAppTool'];
}

/** A message an app was allowed to add: what the host's `onMessage` is told. */
export interface AppMessage {
  readonly role: 'user';
  readonly content: readonly ContentBlock[];
  readonly app: { readonly server: string; readonly resource: string; readonly info?: Implementation };
}

/** What a conversation bears from a model, a server or an app. */
export interface ConversationLimits {
  /** Characters of text in one step. */
  readonly maxText: number;
  /** Characters of one call's arguments. */
  readonly maxInput: number;
  /** Calls in one step. */
  readonly maxCalls: number;
  /** How long a server may work on a call that it runs as a task. */
  readonly taskMs: number;
  /** How long a turn waits for the tools of a server. */
  readonly listMs: number;
  /** Messages of apps in a row, without one of the user's own in between. */
  readonly maxAppTurns: number;
  readonly maxTokens?: number;
  /** Characters of text in one result that the model is told; its app gets it whole. */
  readonly maxResult: number;
  /** Characters of everything the model is told at once; of what is older, less is told. */
  readonly maxRequest: number;
  /** How long a model may say nothing while it is asked; large ones on small machines think for minutes. */
  readonly silenceMs: number;
  /** The most tokens of an answer to an app, whatever it asks for. */
  readonly maxSamplingTokens: number;
  /** Questions of all apps to the model in a minute. */
  readonly maxSamplingPerMinute: number;
}

/** How a conversation is made. */
export interface ConversationOptions {
  readonly model: ChatModel;
  readonly servers?: readonly ServerPort[];
  readonly system?: string;
  /** A conversation to go on with. */
  readonly messages?: readonly ConversationMessage[];
  /** Decides about calls; what it leaves open, the default does. */
  readonly approve?: ApprovalPolicy;
  /** `toolCalls: 'run'` asks about no call of the model, other than those the user settled with never; `ask` unless said. */
  readonly policy?: Pick<ToolCallPolicy, 'toolCalls'>;
  /** Asks about a call in a way of its own; the thread asks as well, and the first answer counts. */
  readonly onToolCall?: AppOptions['onToolCall'];
  /** Where "always" and "never" are remembered; as long as the conversation unless given. */
  readonly approvals?: ApprovalMemory;
  /** The steps of the model in one turn; 10 unless said. */
  readonly maxSteps?: number;
  readonly limits?: Partial<ConversationLimits>;
  /** Where it is written down what the model was asked and what it answered. */
  readonly recording?: Pick<Recording, 'append'>;
  createId?(kind: 'message' | 'call'): string;
}

/** A conversation of a user, a model, servers and apps. But for `createMessage` nothing throws or rejects; failures are in the state. */
export interface Conversation {
  getSnapshot(): ConversationState;
  subscribe(listener: () => void): () => void;
  /** Adds a message and runs its turn; fulfilled when nothing runs any more. */
  send(text: string): Promise<void>;
  /** Adds a message of an app, which starts a turn (HOST-060); false when there were too many in a row. */
  sendFromApp(message: AppMessage): boolean;
  /**
   * Asks the chosen model for an app, after the user's consent: made to be an app's `createMessage`. Not a part of the
   * conversation and not told of it. Rejects with a CasementError that may be shown to the app.
   */
  readonly createMessage: CreateMessage;
  /** Ends the turn: the model's answer and running calls. Queued messages stay in the conversation, unanswered. */
  stop(): Promise<void>;
  /** After a failure: goes on from the last complete step. */
  retry(): Promise<void>;
  /** False when nobody waits for this answer. */
  answerApproval(toolCallId: string, answer: ApprovalAnswer): boolean;
  /** Changes whether calls are asked about; holds from the next call on and is written into the recording. */
  setToolCalls(toolCalls: 'ask' | 'run'): void;
  /** While it is registered, an app's tools are on offer and its context is delivered. */
  registerApp(app: ConversationApp): () => void;
  /** Shows an app of the host's own accord; the model is not told. */
  addItem(item: McpAppItem): string;
  /** Holds from the next step on. */
  setModel(model: ChatModel): void;
  setServers(servers: readonly ServerPort[]): void;
  /** Asks the servers that have a problem for their tools again; fulfilled when they answered or took too long. */
  refreshTools(): Promise<void>;
  /** What the model would be sent next; with a draft, as if the user sent that now. */
  toModelRequest(draft?: string): ModelRequest;
  /** Stops and lets go of servers and apps. */
  close(): void;
}
