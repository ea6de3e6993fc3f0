import type { ServerPort } from '@casement/protocol/ports';
import { isToolVisibleTo } from '@casement/protocol/tools';
import type { Conversation, ConversationMessage, ToolPart } from '@casement/chat';
import { createConversation, createScriptedModel } from '@casement/chat';
import type { CallState, Stage, StagedCall } from '../../stage/stage-types.js';

const callId = 'stage';

const states: Record<CallState['status'], ToolPart['state']> = {
  none: 'input-available',
  streaming: 'input-streaming',
  running: 'input-available',
  done: 'output-available',
  cancelled: 'cancelled',
  failed: 'output-error',
};

const toMessages = ({ port, tool, args }: StagedCall, call: CallState): readonly ConversationMessage[] => {
  // HOST-021: a model could not have made this call.
  if (!isToolVisibleTo(tool, 'model')) return [];
  const part: ToolPart = {
    type: 'dynamic-tool',
    toolName: tool.name,
    toolCallId: callId,
    source: { kind: 'server', server: port.name, tool: tool.name },
    tool,
    state: states[call.status],
    input: args,
    ...(call.status === 'done' ? { output: call.result } : {}),
    ...(call.status === 'failed' ? { errorText: call.error.message, errorCode: call.error.code } : {}),
    ...(call.status === 'cancelled' ? { errorText: 'The user stopped the call before it ended.' } : {}),
  };
  return [{ id: callId, role: 'assistant', parts: [part] }];
};

/** Creates a conversation in which a model has made the call on the stage, with the app that is there. */
export const createStagedConversation = (stage: Stage, servers: readonly ServerPort[]): Conversation => {
  const { staged, call, snapshot: first } = stage.getSnapshot();
  const conversation = createConversation({
    model: createScriptedModel(),
    servers,
    messages: staged ? toMessages(staged, call) : [],
  });
  if (staged && first)
    conversation.registerApp({
      id: callId,
      toolCallId: callId,
      server: staged.port,
      getSnapshot: () => stage.getSnapshot().snapshot ?? { ...first, status: 'closed' },
      subscribe: stage.subscribe,
      callAppTool: stage.callAppTool,
    });
  return conversation;
};
