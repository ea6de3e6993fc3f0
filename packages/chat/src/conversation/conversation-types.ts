import type { ServerPort } from '@casement/protocol/ports';
import type { ContentBlock, Recording, ToolCallPolicy } from '@casement/protocol';
import type { ConversationApp } from '../apps/conversation-apps.js';
import type { CreateMessage } from '../apps/sampling.js';
import type { ConversationLimits } from '../conversation-limits.js';
import type { ConversationMessage, McpAppItem, MessageApp } from '../message/message.js';
import type { ChatModel, ModelRequest } from '../model/model.js';
import type { ApprovalAnswer, ApprovalMemory, ApprovalPolicy, AskAboutCall } from '../tools/approvals.js';
import type { ConversationState } from '../turn/conversation-store.js';

/** A message an app was allowed to add: what the host's `onMessage` is told. */
export interface AppMessage {
  readonly role: 'user';
  readonly content: readonly ContentBlock[];
  readonly app: MessageApp;
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
  readonly toolCallPolicy?: Pick<ToolCallPolicy, 'toolCalls'>;
  /** Asks about a call in a way of its own; the thread asks as well, and the first answer counts. */
  readonly onToolCall?: AskAboutCall;
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
