import { TurnFailure } from './conversation-failure.js';
import { isOver, isToolPart } from './conversation-store.js';
import type { ConversationStore } from './conversation-store.js';
import type { ChatModel, ModelRequest } from './model.js';
import type { BoundTool } from './offered-tools.js';
import type { ToolSource } from './parts.js';
import type { CallOptions } from './turn-calls.js';
import { runCall } from './turn-calls.js';
import type { StepOptions } from './turn-step.js';
import { readStep } from './turn-step.js';

/** What a turn needs of its conversation. */
export interface TurnOptions extends Pick<
  CallOptions,
  | 'store'
  | 'signal'
  | 'questions'
  | 'memory'
  | 'policy'
  | 'isPresent'
  | 'findNow'
  | 'onToolCall'
  | 'recordDecision'
  | 'getToolCalls'
> {
  readonly limits: StepOptions['limits'];
  readonly record: StepOptions['record'];
  readonly maxSteps: number;
  getModel(): ChatModel;
  /** The tools on offer, once the servers have said what they have. */
  getTools(step: number): Promise<readonly BoundTool[]>;
  toRequest(): ModelRequest;
  createId(kind: 'message' | 'call'): string;
  /** The step written into this message failed before it was complete. */
  onCut(messageId: string): void;
}

/** Lets the model speak and its calls be made, until it has nothing more to call; throws what ended it early. */
export const runTurn = async (options: TurnOptions): Promise<void> => {
  const { store, signal, maxSteps } = options;
  for (let step = 0; step < maxSteps; step += 1) {
    const tools = await options.getTools(step);
    if (signal.aborted) return;
    const messageId = options.createId('message');
    const findTool = (name: string): BoundTool | undefined => tools.find((tool) => tool.name === name);
    try {
      const calls = await readStep({
        ...options,
        messageId,
        model: options.getModel(),
        request: options.toRequest(),
        describe: (name) => {
          const found = findTool(name);
          return found ? { source: found.source, tool: found.tool } : { source: toUnknownSource(name) };
        },
        toCallId: (modelId) => toFreeCallId(store, modelId, () => options.createId('call')),
      });
      if (signal.aborted || calls.length === 0) return;
      await Promise.all(calls.map((call) => runCall(call, { ...options, messageId, findTool })));
      if (signal.aborted) return;
    } catch (error) {
      // Calls never throw, so it was the model.
      options.onCut(messageId);
      throw error;
    } finally {
      endCalls(store, messageId, signal.aborted);
    }
  }
  throw new TurnFailure(
    'step-limit',
    `The model called tools ${maxSteps} times in a row without an end.`,
    'Try again to let it go on.',
  );
};

/** What is still open when a step is over never comes. */
const endCalls = (store: ConversationStore, messageId: string, isStopped: boolean): void => {
  const message = store.get().messages.find(({ id }) => id === messageId);
  for (const part of message?.parts.filter(isToolPart) ?? []) {
    if (isOver(part)) continue;
    const errorText = isStopped
      ? 'The user stopped the call before it ended.'
      : 'The call was not made: the answer of the model broke off.';
    store.updateCall(messageId, part.toolCallId, { state: 'cancelled', errorText });
  }
};

const toUnknownSource = (tool: string): ToolSource => ({ kind: 'server', server: '', tool });

const toFreeCallId = (store: ConversationStore, wanted: string, createId: () => string): string => {
  const taken = new Set(
    store.get().messages.flatMap(({ parts }) => parts.filter(isToolPart).map(({ toolCallId }) => toolCallId)),
  );
  let id = wanted.length > 0 && wanted.length <= 128 ? wanted : createId();
  while (taken.has(id)) id = createId();
  return id;
};
