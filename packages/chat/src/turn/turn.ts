import type { Tool } from '@casement/protocol';
import type { ConversationLimits } from '../conversation-limits.js';
import type { RecordDecision, RecordStep } from '../model/model-record.js';
import type { ChatModel, ModelRequest } from '../model/model.js';
import type { ApprovalMemory, ApprovalPolicy, ApprovalQuestions, AskAboutCall } from '../tools/approvals.js';
import type { BoundTool, ToolOwner } from '../tools/offered-tools.js';
import type { ConversationStore } from './conversation-store.js';

/** One turn of a conversation: everything its steps and calls need. */
export interface Turn {
  readonly store: ConversationStore;
  /** Aborted when the user stops the turn. */
  readonly signal: AbortSignal;
  readonly limits: ConversationLimits;
  /** The most steps of the model in this turn. */
  readonly maxSteps: number;
  createId(kind: 'message' | 'call'): string;

  getModel(): ChatModel;
  /** The tools on offer, once the servers have said what they have. */
  getTools(step: number): Promise<readonly BoundTool[]>;
  toRequest(): ModelRequest;
  readonly recordStep: RecordStep;
  /** The step written into this message failed before it was complete. */
  onCut(messageId: string): void;

  readonly questions: ApprovalQuestions;
  readonly memory: ApprovalMemory;
  readonly policy: ApprovalPolicy | undefined;
  /** Asks the user besides the thread. */
  readonly onToolCall: AskAboutCall | undefined;
  /** Whether calls that may do more than read are asked about now. */
  getToolCalls(): 'ask' | 'run';
  readonly recordDecision: RecordDecision;
  /** Whether a server or app still is one of the conversation's. */
  isPresent(owner: ToolOwner): boolean;
  /** The same tool of the same owner as it is on offer now. */
  findNow(bound: BoundTool): Tool | undefined;
}
