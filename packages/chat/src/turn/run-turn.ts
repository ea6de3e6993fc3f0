import { TurnFailure } from '../conversation-failure.js';
import type { ToolSource } from '../message/message.js';
import { isOver, isToolPart } from '../message/message.js';
import type { BoundTool } from '../tools/offered-tools.js';
import type { ConversationStore } from './conversation-store.js';
import { readStep } from './read-step.js';
import { runCall } from './run-call.js';
import type { Turn } from './turn.js';

/** Lets the model speak and its calls be made, until it has nothing more to call; throws what ended it early. */
export const runTurn = async (turn: Turn): Promise<void> => {
  const { store, signal, maxSteps } = turn;
  for (let step = 0; step < maxSteps; step += 1) {
    const tools = await turn.getTools(step);
    if (signal.aborted) return;
    const messageId = turn.createId('message');
    const findTool = (name: string): BoundTool | undefined => tools.find((tool) => tool.name === name);
    try {
      const calls = await readStep(turn, {
        messageId,
        model: turn.getModel(),
        request: turn.toRequest(),
        describe: (name) => {
          const found = findTool(name);
          return found ? { source: found.source, tool: found.tool } : { source: toUnknownSource(name) };
        },
        toCallId: (modelId) => toFreeCallId(store, modelId, () => turn.createId('call')),
      });
      if (signal.aborted || calls.length === 0) return;
      await Promise.all(calls.map((call) => runCall(turn, call, { messageId, findTool })));
      if (signal.aborted) return;
    } catch (error) {
      // Calls never throw, so it was the model.
      turn.onCut(messageId);
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

/** Cancels the calls that are still open when a step is over. */
const endCalls = (store: ConversationStore, messageId: string, isStopped: boolean): void => {
  const message = store.getSnapshot().messages.find(({ id }) => id === messageId);
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
    store
      .getSnapshot()
      .messages.flatMap(({ parts }) => parts.filter(isToolPart).map(({ toolCallId }) => toolCallId)),
  );
  let id = wanted.length > 0 && wanted.length <= 128 ? wanted : createId();
  while (taken.has(id)) id = createId();
  return id;
};
